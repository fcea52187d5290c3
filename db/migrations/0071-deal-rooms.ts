// Deal rooms: the room, who takes part, and what was said. A participant is a relation tuple with a row beside it,
// which goes when the tuple goes.
import { Migration } from '@mikro-orm/migrations';

export class DealRooms extends Migration {
  override readonly name = '0071-deal-rooms';

  override up(): void {
    this.addSql(ROOMS);
    this.addSql(PARTICIPANTS);
    this.addSql(MESSAGES);
    this.addSql(PROTECTION);
    this.addSql(CLOSED_WITH_SUBMISSION);
    this.addSql(ANNOUNCEMENTS);
  }
}

/** `last_sequence` numbers the messages under the row's lock, so they are committed in the order of their numbers. */
const ROOMS = `
create table deal_rooms (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  submission_id text collate "C" not null,
  name text not null,
  status text collate "C" not null default 'open' check (status in ('open', 'closed', 'archived')),
  close_reason text collate "C" check (close_reason in ('manual', 'bound', 'declined')),
  closed_at timestamptz(3),
  closed_by text,
  created_by text not null,
  last_sequence int not null default 0 check (last_sequence >= 0),
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint deal_rooms_of_organization unique (org_id, id),
  check ((status = 'open') = (closed_at is null)),
  check ((status = 'open') = (close_reason is null)),
  foreign key (org_id, submission_id) references submissions (org_id, id) deferrable initially deferred
);
create index deal_rooms_by_status on deal_rooms (org_id, status, id);
create index deal_rooms_of_submission on deal_rooms (org_id, submission_id, id);`;

/** The id is that of the relation tuple. */
const PARTICIPANTS = `
create table deal_room_participants (
  id text collate "C" primary key references relations (id) on delete cascade deferrable initially deferred,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  deal_room_id text collate "C" not null,
  user_id text not null,
  role text collate "C" not null check (role in ('member', 'observer')),
  added_by text not null,
  read_message_id text collate "C",
  read_sequence int not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint deal_room_participants_once unique (org_id, deal_room_id, user_id),
  foreign key (org_id, deal_room_id) references deal_rooms (org_id, id) deferrable initially deferred
);
create index deal_rooms_of_participant on deal_room_participants (org_id, user_id, deal_room_id);`;

const MESSAGES = `
create table deal_room_messages (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  deal_room_id text collate "C" not null,
  sequence int not null check (sequence > 0),
  author_kind text collate "C" not null,
  author_id text not null,
  author_role text collate "C" not null,
  visibility text collate "C" not null check (visibility in ('internal', 'all')),
  body text not null,
  mentions jsonb not null,
  document_ids jsonb not null,
  created_at timestamptz(3) not null default now(),
  constraint deal_room_messages_once unique (org_id, deal_room_id, sequence),
  foreign key (org_id, deal_room_id) references deal_rooms (org_id, id) deferrable initially deferred
);`;

/** What was said stays as it is; of a room only what its life moves changes. */
const PROTECTION = `
call protect_tenant_table('deal_rooms');
call protect_tenant_table('deal_room_participants');
call protect_tenant_table('deal_room_messages');
revoke update, delete on deal_rooms, deal_room_participants, deal_room_messages from bindery_app;
grant update (status, close_reason, closed_at, closed_by, last_sequence, version, updated_at)
  on deal_rooms to bindery_app;
grant update (role, read_message_id, read_sequence, updated_at) on deal_room_participants to bindery_app;`;

/** Whatever binds or declines a submission, the rooms about it close in the same transaction. */
const CLOSED_WITH_SUBMISSION = `
create function close_deal_rooms() returns trigger language plpgsql as $$
begin
  with closed as (
    update deal_rooms
      set status = 'closed', close_reason = new.status, closed_at = now(), updated_at = now(), version = version + 1
      where org_id = new.org_id and submission_id = new.id and status = 'open'
      returning id
  )
  insert into audit_entries
      (id, org_id, actor_kind, actor_id, actor_role, action, entity_type, entity_id, changes)
    select new_type_id('aud'), new.org_id, 'system', 'system', 'none', 'deal_room:close', 'deal_room', closed.id,
        jsonb_build_object('status', jsonb_build_object('before', 'open', 'after', 'closed'),
          'closeReason', jsonb_build_object('before', null, 'after', new.status))
      from closed;
  return null;
end
$$;
create trigger close_deal_rooms after update on submissions for each row
  when (new.status in ('bound', 'declined') and old.status is distinct from new.status)
  execute function close_deal_rooms();`;

/** Every process of the API listens. A notice names the room and nothing else: what it is about is read by each. */
const ANNOUNCEMENTS = `
create function announce_deal_room() returns trigger language plpgsql as $$
begin
  perform pg_notify('deal_rooms', coalesce(new.deal_room_id, old.deal_room_id));
  return null;
end
$$;
create trigger announce_message after insert on deal_room_messages
  for each row execute function announce_deal_room();
create trigger announce_removal after delete on deal_room_participants
  for each row execute function announce_deal_room();`;
