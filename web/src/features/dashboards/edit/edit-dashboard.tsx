import type { Dashboard } from '@quayside/contract/dashboards/endpoints'
import type { Widget } from '@quayside/contract/dashboards/library'
import type { DashboardSpec, Panel, Plugin } from '@quayside/contract/dashboards/spec'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useSaveDashboard } from '../../../api/dashboards/dashboards.ts'
import { dataPanels, frameStateOf, usePanelFrames } from '../../../api/dashboards/panel-frames.ts'
import { secondsOf } from '../../../lib/durations.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { Button, IconButton } from '../../../ui/actions/button.tsx'
import { useConfirm } from '../../../ui/actions/confirm.tsx'
import { DetailHeader } from '../../../ui/layout/detail-header.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import styles from '../dashboard.module.css'
import { PanelGrid } from '../panel-grid.tsx'
import { withItems, withoutPanel, withPanel, withTitles } from './grid.ts'
import { keepDraft, readDraft } from './kept-draft.ts'
import { LibraryDialog } from './library-dialog.tsx'
import { PanelDialog } from './panel-dialog.tsx'
import { PanelTools, type Place } from './panel-tools.tsx'
import { SaveClosed, SaveRefused } from './save-obstacles.tsx'
import { type Settings, SettingsDialog } from './settings-dialog.tsx'
import { type Content, useDraft } from './use-draft.ts'
import { useUndoKeys } from './use-undo-keys.ts'
import { asksForSettings, WidgetDialog } from './widget-dialog.tsx'

/** A dashboard as it was when its editing began. */
export type Edited = Content & Pick<Dashboard, 'id' | 'revision'>

interface Props {
  dashboard: Edited
  /** False once the dashboard was deleted, or the right to edit it has gone. */
  maySave?: boolean
  onDone: () => void
}
type Open =
  | { of: 'library' }
  | { of: 'widget'; widget: Widget }
  | { of: 'settings' }
  | { of: 'panel'; key: string }
  | undefined

/** A dashboard being edited, as a draft in this tab until it is saved. */
export function EditDashboard({ dashboard, maySave = true, onDone }: Props) {
  const { draft, base, setBase, kept, forget } = useKeptDraft(dashboard)
  const { content, change } = draft
  const save = useSaveDashboard(dashboard.id)
  const [open, setOpen] = useState<Open>()
  const [isLeaving, setLeaving] = useState(false)
  const panels = useDebounced(dataPanels(content.spec.panels))
  const frames = usePanelFrames({ preview: panels }, secondsOf(content.spec.duration, 86_400), 0)
  useUnsavedGuard(draft.isChanged && !isLeaving)
  useUndoKeys(draft)

  const setSpec = (next: (spec: DashboardSpec) => DashboardSpec) => change((now) => ({ ...now, spec: next(now.spec) }))
  const leave = () => {
    forget()
    setLeaving(true)
    // The guard is off once this is drawn.
    setTimeout(onDone)
  }
  const submit = (baseRevision: number) => {
    setLeaving(true)
    const onSuccess = () => {
      forget()
      onDone()
    }
    save.mutate({ ...content, baseRevision }, { onSuccess, onError: () => setLeaving(false) })
  }
  const cancel = useCancel(draft.isChanged, leave)
  return (
    <>
      <Head
        draft={draft}
        isSaving={save.isPending}
        maySave={maySave}
        onOpen={setOpen}
        onCancel={cancel}
        onSave={() => submit(base.revision)}
      />
      {!maySave && <SaveClosed content={content} onSaved={leave} />}
      {kept && <p className={styles.detail}>Your unsaved changes from before the reload were restored.</p>}
      {save.error !== null && maySave && (
        <SaveRefused
          error={save.error}
          onOverwrite={(revision) => {
            setBase({ ...base, revision })
            submit(revision)
          }}
        />
      )}
      <EditedPanels spec={content.spec} frames={frames} setSpec={setSpec} onOpen={setOpen} />
      <Dialogs open={open} content={content} change={change} setOpen={setOpen} />
    </>
  )
}

/** The draft of a dashboard, which outlives a reload of the page; it is forgotten when it is saved or discarded. */
function useKeptDraft(dashboard: Edited) {
  const { me } = usePortal()
  const { userId } = me()
  const { id } = dashboard
  const [kept] = useState(() => readDraft(userId, dashboard.id))
  const [base, setBase] = useState({ revision: kept?.revision ?? dashboard.revision })
  const [start] = useState(() => contentOf(dashboard))
  const draft = useDraft(start, kept?.content)
  const { content, isChanged } = draft
  const isForgotten = useRef(false)
  useEffect(() => {
    if (!isForgotten.current) keepDraft(userId, id, isChanged ? { revision: base.revision, content } : undefined)
  }, [userId, id, isChanged, base.revision, content])
  const forget = () => {
    isForgotten.current = true
    keepDraft(userId, id, undefined)
  }
  return { draft, base, setBase, kept: kept !== undefined && isChanged, forget }
}

interface EditedPanelsProps {
  spec: DashboardSpec
  frames: ReturnType<typeof usePanelFrames>
  setSpec: (next: (spec: DashboardSpec) => DashboardSpec) => void
  onOpen: (open: Open) => void
}

/** The panels with their tools; one that is dragged is drawn where it would lie. */
function EditedPanels({ spec, frames, setSpec, onOpen }: EditedPanelsProps) {
  const [dragged, setDragged] = useState<{ key: string; place: Place }>()
  if (Object.keys(spec.panels).length === 0)
    return (
      <EmptyState
        title="No panels yet"
        text="Add the first one from the library."
        action={
          <Button icon={IconPlus} onClick={() => onOpen({ of: 'library' })}>
            Add panel
          </Button>
        }
      />
    )
  return (
    <PanelGrid
      spec={dragged === undefined ? spec : withItems(spec, dragged.key, dragged.place)}
      ordered={spec}
      frames={frames.data ?? {}}
      state={frameStateOf(frames)}
      tools={(key, shown, item) => (
        <PanelTools
          name={shown.spec.display.name || shown.spec.plugin.kind}
          item={item}
          onPlace={(place) => setSpec((now) => withItems(now, key, place))}
          onDrag={(place) => setDragged(place === undefined ? undefined : { key, place })}
          onSettings={() => onOpen({ of: 'panel', key })}
          onRemove={() => setSpec((now) => withoutPanel(now, key))}
        />
      )}
    />
  )
}

interface DialogsProps {
  open: Open
  content: Content
  change: ReturnType<typeof useDraft>['change']
  setOpen: (open: Open) => void
}

/** The dialog that is open: the library, what a widget of it asks for, the settings of the dashboard, or those of a panel. */
function Dialogs({ open, content, change, setOpen }: DialogsProps) {
  const close = () => setOpen(undefined)
  const add = (widget: Widget, plugin: Plugin) => {
    const { spec, key } = withPanel(content.spec, panelOf(widget, plugin), widget.size)
    change((now) => ({ ...now, spec }))
    setOpen({ of: 'panel', key })
  }
  if (open?.of === 'library') {
    const pick = (widget: Widget) =>
      asksForSettings(widget) ? setOpen({ of: 'widget', widget }) : add(widget, widget.defaults)
    return <LibraryDialog onClose={close} onPick={pick} />
  }
  if (open?.of === 'widget')
    return <WidgetDialog widget={open.widget} onClose={close} onDone={(plugin) => add(open.widget, plugin)} />
  if (open?.of === 'settings') {
    const apply = ({ duration, refreshInterval, sections, ...texts }: Settings) => {
      change((now) => ({ ...now, ...texts, spec: withTitles({ ...now.spec, duration, refreshInterval }, sections) }))
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
  maySave: boolean
  onOpen: (open: Open) => void
  onCancel: () => void
  onSave: () => void
}

function Head({ draft: { content, undo, redo, isChanged }, isSaving, maySave, onOpen, onCancel, onSave }: HeadProps) {
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
          <span className={styles.together}>
            <Button onClick={onCancel}>Cancel</Button>
            <Button look="primary" busy={isSaving} disabled={!maySave} onClick={onSave}>
              Save
            </Button>
          </span>
        </>
      }
    />
  )
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

const contentOf = ({ displayName, description, tags, spec }: Edited): Content => ({
  displayName,
  description,
  tags,
  spec,
})

function panelOf({ id, title, source }: Widget, plugin: Plugin): Panel {
  const widget = source === 'built-in' ? {} : { widgetId: id }
  return { kind: 'Panel', spec: { display: { name: title }, plugin, ...widget } }
}
