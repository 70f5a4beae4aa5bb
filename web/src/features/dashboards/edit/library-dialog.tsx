import { Modal } from '@mantine/core'
import type { Widget } from '@quayside/contract/dashboards/library'
import { useState } from 'react'
import { useWidgets } from '../../../api/dashboards/dashboards.ts'
import '../../../ui/theme/mantine.css'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import styles from '../dashboard.module.css'

interface Props {
  onPick: (widget: Widget) => void
  onClose: () => void
}

/** The widget library: each entry makes a panel. */
export function LibraryDialog({ onPick, onClose }: Props) {
  const [search, setSearch] = useState('')
  const widgets = useWidgets(search)
  const found = widgets.data?.data
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
              <bdi>{widget.title}</bdi>
              <span className={styles.kindText}>
                <bdi>{widget.description}</bdi>
              </span>
              <span className={styles.kindText}>
                <bdi>
                  {widget.category}
                  {widget.usedBy > 0 && ` · used by ${widget.usedBy}`}
                </bdi>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
