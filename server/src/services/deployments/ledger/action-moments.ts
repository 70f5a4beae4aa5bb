import type { Transaction } from 'kysely'
import type { ActionRow, Tables } from '../tables.ts'

type Noted = Pick<ActionRow, 'id' | 'tenant_id' | 'kind' | 'app_id' | 'app_name' | 'started_by'>

/** Writes into the audit of actions that one was accepted, or how it has ended; in the transaction in which that happens. */
export async function noteMoment(
  trx: Transaction<Tables>,
  { id, tenant_id, kind, app_id, app_name, started_by }: Noted,
  moment: 'accept' | 'final',
  outcome: string,
): Promise<void> {
  const row = { tenant_id, action_id: id, moment, kind, app_id, app_name, who: started_by, outcome }
  await trx.insertInto('action_audit').values(row).execute()
}
