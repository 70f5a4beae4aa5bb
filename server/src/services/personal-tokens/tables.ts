import type { Generated, Selectable } from 'kysely'

export interface Tables {
  personal_token: TokenTable
  personal_token_setting: { tenant_id: string; enabled: boolean; longest_days: number }
}

interface TokenTable {
  /** Sortable by time of making. */
  id: string
  tenant_id: string
  user_id: string
  name: string
  /** SHA-256 of the secret, which is kept nowhere. */
  digest: string
  read_only: boolean
  /** Null: the token is not narrowed to spaces. */
  space_ids: string[] | null
  created_at: Generated<Date>
  expires_at: Date
  last_used_at: Date | null
}

export type TokenRow = Selectable<TokenTable>
