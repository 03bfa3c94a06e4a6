create table if not exists tick (job varchar(40) primary key, last_tick bigint not null);
create table if not exists report (tick bigint not null, node varchar(40) not null, token bigint not null);
create table if not exists export (tick bigint not null, part int not null, node varchar(40) not null, primary key (tick, part));
create table if not exists reindex (tick bigint not null, shard int not null, node varchar(40) not null, primary key (tick, shard));
create table if not exists batch (role varchar(40) primary key, number bigint not null, node varchar(40) not null, token bigint not null);
create table if not exists price (item varchar(40) primary key, amount decimal(10, 2) not null, version bigint not null);
create table if not exists shipment (order_id varchar(40) not null, node varchar(40) not null, token bigint not null);
create table if not exists counter (name varchar(40) primary key, amount bigint not null);
create table if not exists account (name varchar(40) primary key, balance decimal(12, 2) not null);
create table if not exists stock_take (slot bigint primary key, step int not null, node varchar(40) not null, token bigint not null);
create table if not exists journal (page varchar(40) not null, place int not null, node varchar(40) not null, token bigint not null);
create table if not exists ledger (entry varchar(40) primary key, node varchar(40) not null, token bigint not null);

merge into price using (values ('apple', 1.20), ('pear', 1.50), ('plum', 0.80)) as given (item, amount)
	on price.item = given.item
	when not matched then insert values (given.item, given.amount, 1);
merge into counter using (values ('visits'), ('ids')) as given (name)
	on counter.name = given.name
	when not matched then insert values (given.name, 0);
merge into account using (values ('alice', 1000.00), ('bob', 1000.00), ('carol', 1000.00)) as given (name, balance)
	on account.name = given.name
	when not matched then insert values (given.name, given.balance);
merge into batch using (values ('indexer')) as given (role)
	on batch.role = given.role
	when not matched then insert values (given.role, 0, '', 0);
