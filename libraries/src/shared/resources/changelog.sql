--liquibase formatted sql
--changeset shop:1
create table customer (id bigint primary key);
