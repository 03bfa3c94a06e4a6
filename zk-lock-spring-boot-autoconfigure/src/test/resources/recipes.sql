create table account (name varchar(40) primary key, balance integer not null);
insert into account values ('alice', 100);
create table stock (item varchar(40) primary key, amount integer not null, token bigint not null);
insert into stock values ('apple', 10, 0);
create table price (item varchar(20) primary key, amount int not null);
insert into price values ('apple', 120);
