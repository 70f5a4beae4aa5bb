import type { Panel, Plugin } from '@quayside/contract/dashboards/spec'
import { longest } from '@quayside/contract/http/limits'
import { useState } from 'react'
import { useKeepWidget } from '../../../api/dashboards/dashboards.ts'
import { dataPanels, frameStateOf, usePanelFrames } from '../../../api/dashboards/panel-frames.ts'
import { useGuard } from '../../../api/permissions/my-scopes.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import styles from '../dashboard.module.css'
import { PanelFrameBox } from '../panel-grid.tsx'
import { PluginFields } from './plugin-fields.tsx'

interface Props {
  panel: Panel
  onChange: (panel: Panel) => void
  onClose: () => void
}

/** The settings of a panel, with what it would show. */
export function PanelDialog({ panel, onChange, onClose }: Props) {
  const [draft, setDraft] = useState(panel)
  const { display, plugin } = draft.spec
  const [isWhole, setWhole] = useState(true)
  const preview = useDebounced(dataPanels({ preview: draft }))
  const frames = usePanelFrames({ preview }, 86_400, 0)
  const keep = useKeepWidget()
  const [kept, setKept] = useState(false)
  const guard = useGuard()
  const set = (spec: Partial<Panel['spec']>) => setDraft({ ...draft, spec: { ...draft.spec, ...spec } })
  const addToLibrary = () =>
    keep.mutate(
      { title: display.name || plugin.kind, description: display.description ?? '', category: 'Ours', panel: draft },
      { onSuccess: () => setKept(true) },
    )
  return (
    <FormDialog
      title="Panel settings"
      submitLabel="Apply"
      onClose={onClose}
      onSubmit={() => isWhole && onChange(draft)}
      busy={false}
      disabled={!isWhole}
      error={keep.error ?? undefined}
      errorName="Library"
    >
      <TextField
        label="Name"
        dir="auto"
        data-autofocus
        maxLength={longest.displayName}
        value={display.name}
        onChange={(event) => set({ display: { ...display, name: event.target.value } })}
      />
      <TextField
        label="Description"
        help="Shown as a tooltip on the panel’s name"
        dir="auto"
        maxLength={longest.description}
        value={display.description ?? ''}
        onChange={({ target: { value } }) =>
          set({ display: value === '' ? { name: display.name } : { ...display, description: value } })
        }
      />
      <PluginFields
        plugin={plugin}
        onChange={(next: Plugin, isAll = true) => {
          setWhole(isAll)
          set({ plugin: next })
        }}
      />
      <div className={styles.preview}>
        <PanelFrameBox panel={draft} frame={frames.data?.preview} state={frameStateOf(frames)} />
      </div>
      <div>
        <GuardedButton
          small
          {...guard('dashboard.add-widget', 'add a panel to the library')}
          busy={keep.isPending}
          disabled={kept || !isWhole}
          onClick={addToLibrary}
        >
          {kept ? 'Added to the library' : 'Add to the library'}
        </GuardedButton>
      </div>
    </FormDialog>
  )
}
