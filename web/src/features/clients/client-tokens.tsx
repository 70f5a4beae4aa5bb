import type { ClientDetail } from '@quayside/contract/clients/administration'
import { FactList, Panel } from '../../ui/layout/panel.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { TagList } from '../../ui/lists/tag.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import styles from './client-dialog.module.css'

type Mapper = ClientDetail['mappers'][number]

const columns: readonly Column<Mapper>[] = [
  { key: 'name', title: 'Mapper', sortBy: ({ name }) => name, cell: ({ name }) => <bdi>{name}</bdi> },
  { key: 'writes', title: 'Claim or audience', cell: ({ writes }) => <code dir="ltr">{writes || '–'}</code> },
  { key: 'kind', title: 'Kind', sortBy: ({ kind }) => kind, cell: ({ kind }) => <code dir="ltr">{kind}</code> },
]

const scopes = (names: readonly string[]) => (names.length === 0 ? 'None' : <TagList tags={names} show={8} />)

/** Contents of the tokens of a client, to read: they are changed in the identity server alone. */
export function ClientTokens({ client }: { client: ClientDetail }) {
  return (
    <div className={styles.form}>
      <p className={styles.text}>
        <bdi>
          These are changed in the identity server alone: a mistake could open more with the tokens of this client than
          they are meant for.
        </bdi>
      </p>
      <Panel title="What its tokens carry">
        <FactList
          facts={[
            {
              name: 'Roles',
              value: client.fullScopeAllowed
                ? 'Every role of who signs in'
                : 'Those that its scopes name, and no other',
            },
            { name: 'Always', value: scopes(client.defaultScopes) },
            { name: 'When it asks for them', value: scopes(client.optionalScopes) },
          ]}
        />
      </Panel>
      <Panel title="Mappers" flush>
        <DataTable
          sorts="all rows are here"
          label="Mappers"
          columns={columns}
          rows={client.mappers}
          rowKey={({ name }) => name}
          empty={<EmptyState title="No mappers of its own" text="Its tokens carry what its scopes say." />}
        />
      </Panel>
    </div>
  )
}
