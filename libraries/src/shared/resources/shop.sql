create table if not exists entry (tick varchar(40) not null, item int not null, node varchar(20) not null);
create table if not exists payout (id bigint primary key, shard int not null, state varchar(10) not null, worker bigint not null);
