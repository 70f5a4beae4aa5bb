import type { PersonalToken } from '@quayside/contract/personal-tokens/endpoints'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { Right } from '../../ui/actions/explain.ts'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { RemainingTime } from '../../ui/text/remaining-time.tsx'

interface Props {
  tokens: readonly PersonalToken[] | undefined
  error: Error | null
  onRetry: () => void
  /** Left out: the token is the person's own. */
  right?: Right
  onDelete: (token: PersonalToken) => void
  emptyText: string
}

const hasExpired = ({ expiresAt }: PersonalToken) => Date.parse(expiresAt) <= Date.now()

/** The reach of a token in words. */
function reachOf({ readOnly, spaces }: PersonalToken): string {
  const what = readOnly ? 'Reads' : 'Reads and changes'
  if (spaces === null) return `${what} whatever its owner may`
  const named = spaces.map(({ name }) => name ?? 'a space that is not shown')
  return `${what} in ${named.join(', ')}`
}

const columns: readonly Column<PersonalToken>[] = [
  {
    ...{ key: 'name', title: 'Token', sortBy: ({ name }: PersonalToken) => name },
    cell: (token) => <NameCell below={reachOf(token)}>{token.name}</NameCell>,
  },
  {
    ...{ key: 'createdAt', title: 'Made', sortBy: ({ createdAt }: PersonalToken) => createdAt },
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
  {
    ...{ key: 'expiresAt', title: 'Expires', sortBy: ({ expiresAt }: PersonalToken) => expiresAt },
    cell: (token) =>
      hasExpired(token) ? <StateBadge state="disabled" label="Expired" /> : <RemainingTime until={token.expiresAt} />,
  },
  {
    ...{ key: 'lastUsedAt', title: 'Last used', sortBy: ({ lastUsedAt }: PersonalToken) => lastUsedAt },
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <RelativeTime at={lastUsedAt} />),
  },
]

/** Personal tokens, with the way to delete each. */
export function TokenTable({ tokens, error, onRetry, right, onDelete, emptyText }: Props) {
  return (
    <DataTable
      sorts="all rows are here"
      label="Personal tokens"
      columns={columns}
      rows={tokens}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowMenu={(token) => [
        {
          ...{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => onDelete(token) },
          ...(right === undefined ? {} : { right }),
        },
      ]}
      error={error}
      onRetry={onRetry}
      empty={<EmptyState title="No personal tokens" text={emptyText} />}
    />
  )
}
