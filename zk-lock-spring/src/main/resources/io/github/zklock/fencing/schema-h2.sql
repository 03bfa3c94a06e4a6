create table if not exists zk_lock_fence (
	lock_key varchar(255) not null primary key,
	token bigint not null
);
