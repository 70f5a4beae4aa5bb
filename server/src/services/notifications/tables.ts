import type { Generated, Selectable } from 'kysely'

export interface Tables {
  app_outage: OutageTable
  notification_person: PersonTable
  notification_mark: MarkTable
  apps: {
    id: string
    tenant_id: string
    space_id: string
    display_name: string
    state: string
    state_message: string | null
  }
  spaces: { id: string; display_name: string }
}

/** A time in which an app was not healthy. It goes with its app. */
interface OutageTable {
  id: Generated<string>
  tenant_id: string
  app_id: string
  since: Generated<Date>
  /** Null while it lasts. */
  until: Date | null
  says: string | null
  /** Pages of those who see the app were told of its beginning, and of its end. */
  told_since: Generated<boolean>
  told_until: Generated<boolean>
}

interface PersonTable {
  tenant_id: string
  user_id: string
  /** Everything from before counts as read, unless a mark says otherwise. */
  read_before: Date
  /** Kinds that the person does not want to be told of. */
  muted: Generated<string[]>
}

interface MarkTable {
  tenant_id: string
  user_id: string
  notice_id: string
  is_read: boolean
  at: Generated<Date>
}

export type PersonRow = Selectable<PersonTable>
