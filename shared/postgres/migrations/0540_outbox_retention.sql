-- The position up to which events were deleted: a reader that stands before it may have missed some.
create table outbox_retention (
  removed_up_to bigint not null
);
insert into outbox_retention (removed_up_to) values (0);
