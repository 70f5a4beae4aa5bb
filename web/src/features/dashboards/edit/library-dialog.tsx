import { Modal } from '@mantine/core'
import type { Widget } from '@quayside/contract/dashboards/library'
import { useState } from 'react'
import { useRemoveWidget, useWidgets } from '../../../api/dashboards/dashboards.ts'
import { useGuard } from '../../../api/permissions/my-scopes.ts'
import '../../../ui/theme/mantine.css'
import { useConfirm } from '../../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { useTellFailure } from '../../../ui/actions/tell-failure.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import styles from '../dashboard.module.css'

interface Props {
  onPick: (widget: Widget) => void
  onClose: () => void
}

/** Asks, and removes; says why when the server will not. */
function useRemove() {
  const confirm = useConfirm()
  const tell = useTellFailure()
  const removal = useRemoveWidget()
  return async ({ id, title }: Widget): Promise<void> => {
    const message = (
      <>
        Remove <bdi>{title}</bdi> from the library? Panels that were made from it stay.
      </>
    )
    if (!(await confirm({ title: 'Remove from the library', message, danger: true }))) return
    await removal.mutateAsync(id).catch(tell('The panel was not removed from the library'))
  }
}

/** The widget library: each entry makes a panel. */
export function LibraryDialog({ onPick, onClose }: Props) {
  const [search, setSearch] = useState('')
  const widgets = useWidgets(search)
  const found = widgets.data?.data
  const remove = useRemove()
  const guard = useGuard()
  return (
    <Modal opened onClose={onClose} title="Widget library" size={720}>
      <SearchField label="Title, description, category" value={search} onChange={setSearch} />
      {widgets.error !== null && (
        <ErrorPanel error={widgets.error} name="Widget library" onRetry={() => void widgets.refetch()} />
      )}
      {found === undefined && widgets.error === null && <Loading />}
      {found?.length === 0 && <EmptyState title="No widget matches" />}
      <ul className={styles.kinds} aria-label="Widgets">
        {found?.map((widget) => (
          <li key={widget.id}>
            <button type="button" className={styles.kind} onClick={() => onPick(widget)}>
              <bdi className={styles.kindName}>{widget.title}</bdi>
              <span className={styles.kindText}>
                <bdi>{widget.description}</bdi>
              </span>
              <span className={styles.kindText}>
                <bdi>
                  {widget.category}
                  {found.some((other) => other !== widget && other.title === widget.title) && ` · ${widget.version}`}
                  {widget.usedBy > 0 && ` · used by ${widget.usedBy}`}
                </bdi>
              </span>
            </button>
            {widget.source !== 'built-in' && (
              <GuardedButton
                small
                {...guard('dashboard.remove-widget', 'remove a panel from the library')}
                aria-label={`Remove ${widget.title} from the library`}
                onClick={() => void remove(widget)}
              >
                Remove
              </GuardedButton>
            )}
          </li>
        ))}
      </ul>
    </Modal>
  )
}
