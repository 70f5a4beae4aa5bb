import type { Dashboard } from '@quayside/contract/dashboards/endpoints'
import type { Widget } from '@quayside/contract/dashboards/library'
import type { DashboardSpec, Panel } from '@quayside/contract/dashboards/spec'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { useSaveDashboard } from '../../../api/dashboards/dashboards.ts'
import { usePanelFrames } from '../../../api/dashboards/panel-frames.ts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { secondsOf } from '../../../lib/durations.ts'
import { Button, IconButton } from '../../../ui/actions/button.tsx'
import { useConfirm } from '../../../ui/actions/confirm.tsx'
import { DetailHeader } from '../../../ui/layout/detail-header.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { PanelGrid } from '../panel-grid.tsx'
import { withItems, withoutPanel, withPanel } from './grid.ts'
import { LibraryDialog } from './library-dialog.tsx'
import { PanelDialog } from './panel-dialog.tsx'
import { PanelTools } from './panel-tools.tsx'
import { SettingsDialog } from './settings-dialog.tsx'
import { type Content, useDraft } from './use-draft.ts'

interface Props {
  dashboard: Dashboard
  onDone: () => void
}
type Open = { of: 'library' } | { of: 'settings' } | { of: 'panel'; key: string } | undefined

/** A dashboard being edited, as a draft in this tab until it is saved. */
export function EditDashboard({ dashboard, onDone }: Props) {
  const [base, setBase] = useState(dashboard)
  const draft = useDraft(contentOf(base))
  const { content, change } = draft
  const save = useSaveDashboard(dashboard.id)
  const [open, setOpen] = useState<Open>()
  const [isLeaving, setLeaving] = useState(false)
  const frames = usePanelFrames({ preview: dataPanels(content.spec) }, secondsOf(content.spec.duration, 86_400), 0)
  useUnsavedGuard(draft.isChanged && !isLeaving)

  const setSpec = (next: (spec: DashboardSpec) => DashboardSpec) => change((now) => ({ ...now, spec: next(now.spec) }))
  const submit = (baseRevision: number) => {
    setLeaving(true)
    save.mutate({ ...content, baseRevision }, { onSuccess: onDone, onError: () => setLeaving(false) })
  }
  const cancel = useCancel(draft.isChanged, () => {
    setLeaving(true)
    // The guard is off once this is drawn.
    setTimeout(onDone)
  })
  return (
    <>
      <Head
        draft={draft}
        isSaving={save.isPending}
        onOpen={setOpen}
        onCancel={cancel}
        onSave={() => submit(base.revision)}
      />
      {save.error !== null && (
        <SaveRefused
          error={save.error}
          onOverwrite={(revision) => {
            setBase({ ...base, revision })
            submit(revision)
          }}
        />
      )}
      {Object.keys(content.spec.panels).length === 0 ? (
        <EmptyState
          title="No panels yet"
          text="Add the first one from the library."
          action={
            <Button icon={IconPlus} onClick={() => setOpen({ of: 'library' })}>
              Add panel
            </Button>
          }
        />
      ) : (
        <PanelGrid
          spec={content.spec}
          frames={frames.data ?? {}}
          tools={(key, shown, item) => (
            <PanelTools
              name={shown.spec.display.name || shown.spec.plugin.kind}
              item={item}
              onPlace={(placeItems) => setSpec((spec) => withItems(spec, key, placeItems))}
              onSettings={() => setOpen({ of: 'panel', key })}
              onRemove={() => setSpec((spec) => withoutPanel(spec, key))}
            />
          )}
        />
      )}
      <Dialogs open={open} content={content} change={change} setOpen={setOpen} />
    </>
  )
}

interface DialogsProps {
  open: Open
  content: Content
  change: ReturnType<typeof useDraft>['change']
  setOpen: (open: Open) => void
}

/** The dialog that is open: the library, the settings of the dashboard, or those of a panel. */
function Dialogs({ open, content, change, setOpen }: DialogsProps) {
  const close = () => setOpen(undefined)
  if (open?.of === 'library') {
    const pick = (widget: Widget) => {
      const { spec, key } = withPanel(content.spec, panelOf(widget), widget.size)
      change((now) => ({ ...now, spec }))
      setOpen({ of: 'panel', key })
    }
    return <LibraryDialog onClose={close} onPick={pick} />
  }
  if (open?.of === 'settings') {
    const apply = (texts: Pick<Content, 'displayName' | 'description' | 'tags'>) => {
      change((now) => ({ ...now, ...texts }))
      close()
    }
    return <SettingsDialog content={content} onClose={close} onChange={apply} />
  }
  const panel = open === undefined ? undefined : content.spec.panels[open.key]
  if (open === undefined || panel === undefined) return null
  const apply = (next: Panel) => {
    change((now) => ({ ...now, spec: { ...now.spec, panels: { ...now.spec.panels, [open.key]: next } } }))
    close()
  }
  return <PanelDialog key={open.key} panel={panel} onClose={close} onChange={apply} />
}

interface HeadProps {
  draft: ReturnType<typeof useDraft>
  isSaving: boolean
  onOpen: (open: Open) => void
  onCancel: () => void
  onSave: () => void
}

function Head({ draft: { content, undo, redo, isChanged }, isSaving, onOpen, onCancel, onSave }: HeadProps) {
  return (
    <DetailHeader
      title={content.displayName}
      below={isChanged ? 'Unsaved changes' : 'Editing'}
      actions={
        <>
          <IconButton icon={IconArrowBackUp} label="Undo" disabled={undo === undefined} onClick={undo} />
          <IconButton icon={IconArrowForwardUp} label="Redo" disabled={redo === undefined} onClick={redo} />
          <Button onClick={() => onOpen({ of: 'settings' })}>Settings</Button>
          <Button icon={IconPlus} onClick={() => onOpen({ of: 'library' })}>
            Add panel
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
          <Button look="primary" busy={isSaving} onClick={onSave}>
            Save
          </Button>
        </>
      }
    />
  )
}

/** A save that was refused; where somebody else was first, it says who, and offers to write over it. */
function SaveRefused({ error, onOverwrite }: { error: Error; onOverwrite: (revision: number) => void }) {
  const conflict = conflictOf(error)
  if (conflict === undefined) return <ErrorPanel error={error} name="Save" />
  const { revision, by } = conflict
  return (
    <div role="alert">
      <EmptyState
        title="Somebody else has saved this dashboard"
        text={`${by} saved revision ${revision} while you were editing. Your changes are still here. Save them over that revision, or cancel to see it.`}
        action={
          <Button look="danger" onClick={() => onOverwrite(revision)}>
            Save over revision {revision}
          </Button>
        }
      />
    </div>
  )
}

/** The revision that somebody else has saved, as the body of the refusal tells it. */
function conflictOf(error: Error): { revision: number; by: string } | undefined {
  if (!(error instanceof ApiError) || error.code !== 'dashboard.revision-changed') return undefined
  return (error.details as { details?: { revision: number; by: string } }).details
}

/** Asks before somebody leaves with changes that are not saved. */
function useUnsavedGuard(isUnsaved: boolean): void {
  const confirm = useConfirm()
  useBlocker({
    shouldBlockFn: async () =>
      isUnsaved && !(await confirm({ title: 'Leave without saving', message: leaving, danger: true })),
    enableBeforeUnload: () => isUnsaved,
  })
}

function useCancel(isChanged: boolean, leave: () => void): () => void {
  const confirm = useConfirm()
  return () => {
    if (!isChanged) return leave()
    void confirm({ title: 'Discard changes', message: leaving, danger: true }).then((isSure) => isSure && leave())
  }
}
const leaving = 'Changes of this dashboard that are not saved are lost.'

const contentOf = ({ displayName, description, tags, spec }: Dashboard): Content => ({
  displayName,
  description,
  tags,
  spec,
})

const dataPanels = ({ panels }: DashboardSpec): Record<string, Panel> =>
  Object.fromEntries(Object.entries(panels).filter(([, { spec }]) => spec.plugin.kind !== 'Markdown'))

function panelOf({ id, title, defaults, source }: Widget): Panel {
  const widget = source === 'built-in' ? {} : { widgetId: id }
  return { kind: 'Panel', spec: { display: { name: title }, plugin: defaults, ...widget } }
}
