// Standings of users: every change that ends a user's tokens gets an instant of its own, later than the one before,
// because tokens name the standing in which they were signed by that instant (domain/access/standing.ts).
import { Migration } from '@mikro-orm/migrations';

export class Standing extends Migration {
  override readonly name = '0018-standing';

  override up(): void {
    this.addSql(STANDING_MOVES_FORWARD);
  }
}

/** Two changes in one millisecond, or by two clocks, must not give the same name twice. */
const STANDING_MOVES_FORWARD = `
create function auth.begin_standing() returns trigger language plpgsql set search_path = ''
  as $$
  begin
    if new.tokens_valid_from is not null then
      new.tokens_valid_from := greatest(
        new.tokens_valid_from,
        date_trunc('milliseconds', clock_timestamp()),
        old.tokens_valid_from + interval '1 millisecond');
    end if;
    return new;
  end $$;
create trigger standing_moves_forward before update of tokens_valid_from on auth.users
  for each row execute function auth.begin_standing();`;
