create table if not exists zk_lock_fence (
	lock_key varchar(255) character set utf8mb4 collate utf8mb4_bin not null primary key,
	token bigint not null
) engine = InnoDB;
