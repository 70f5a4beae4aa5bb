import { Modal } from '@mantine/core'
import type { IdentityProvider, ProviderMapping } from '@quayside/contract/identity-providers/endpoints'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useDeleteMapping, useMappings } from '../../api/realms/identity-providers.ts'
import parts from '../../ui/layout/form-parts.module.css'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import styles from './identity-providers.module.css'
import { NewMapping } from './new-mapping.tsx'

const fieldWords: Readonly<Record<string, string>> = {
  email: 'E-mail address',
  firstName: 'First name',
  lastName: 'Last name',
}

function leadsTo({ kind, group, attribute }: ProviderMapping): string {
  if (kind === 'group') return group === null ? 'A group that is gone' : `Group ${group.path}`
  if (kind === 'attribute') return fieldWords[attribute ?? ''] ?? `Attribute ${attribute}`
  return 'Set up at Keycloak'
}

const columns: readonly Column<ProviderMapping>[] = [
  {
    key: 'claim',
    title: 'Claim',
    cell: ({ claim, value, name }) => <NameCell below={value || undefined}>{claim || name}</NameCell>,
  },
  { key: 'to', title: 'Leads to', cell: (mapping) => <bdi>{leadsTo(mapping)}</bdi> },
]

/** Claims of a provider, and the groups and attributes that they lead to. */
export function MappingsDialog({ provider, onClose }: { provider: IdentityProvider; onClose: () => void }) {
  const mappings = useMappings(provider.id)
  const remove = useDeleteMapping(provider.id)
  const right = useGuard()('identity-providers.edit', `change the mappings of ${provider.name}`)
  return (
    <Modal opened onClose={onClose} title={`Groups and attributes from ${provider.name}`} size={640}>
      <div className={parts.stack}>
        <p className={styles.about}>
          <bdi>
            At each sign-in by {provider.name}, people are put into the groups that their claims say, and out of those
            that they do not say any more.
          </bdi>
        </p>
        <DataTable
          sorts="all rows are here"
          label="Mappings"
          columns={columns}
          rows={mappings.data}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          rowMenu={({ id }) => [{ label: 'Delete', danger: true, right, onSelect: () => remove.mutate(id) }]}
          error={mappings.error}
          onRetry={() => void mappings.refetch()}
          empty={
            <EmptyState
              icon={IconUsers}
              title="No mappings"
              text="Names and addresses are taken over once, at the first sign-in."
            />
          }
        />
        {remove.error !== null && <ErrorPanel error={remove.error} name="Delete" />}
        <NewMapping provider={provider} right={right} />
      </div>
    </Modal>
  )
}
