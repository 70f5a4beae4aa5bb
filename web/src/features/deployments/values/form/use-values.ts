import type { FieldEdit } from '@quayside/values/form/field-edit'
import { changeValues, openValues, type ValuesModel } from '@quayside/values/form/values-model'
import { YamlRefused, yamlProblem } from '@quayside/values/yaml/yaml-document'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { createDrafts, type Drafts } from './drafts/drafts.ts'
import type { Path } from './fields/field-tree.ts'
import { emptyViewState, type ViewState } from './view-state.ts'

export interface Values {
  /** The form of the text; while it is edited as text, the form it had before. */
  model: ValuesModel
  edit: (path: Path, edit: FieldEdit) => void
  drafts: Drafts
  seen: ViewState
}

interface Text {
  yaml: string
  schema: unknown
  isForm: boolean
  /** A model that is there already, of this text or of another one. */
  known: ValuesModel
  onChange: (yaml: string) => void
}

/**
 * The form over a values text. The text is the truth: an edit of the form changes only its own place in the text, and a
 * text that came from elsewhere is read anew when the form is shown.
 */
export function useValues({ yaml, schema, isForm, known, onChange }: Text): Values {
  const isOfText = (one: ValuesModel) => one.text === yaml && one.schema === schema
  // A wizard begins with the chart's own values: a large text is read once for both.
  const opened = (before?: ValuesModel) => {
    const beside = { defaults: known, memory: before?.memory ?? known.memory }
    const isKnown = isOfText(known) && beside.memory.chosen.size === 0
    return isKnown ? { ...known, ...beside } : openValues(yaml, schema, beside)
  }
  const [model, setModel] = useState(() => opened())
  let shown = model
  if (!isOfText(model) && isForm) {
    shown = opened(model)
    setModel(shown)
  }
  useEffect(() => {
    const wait = setTimeout(makeReady, quietMs)
    return () => clearTimeout(wait)
  }, [])
  const [kept] = useState(() => ({ drafts: createDrafts(), seen: emptyViewState() }))
  usePruning(kept.drafts, shown, isForm ? shown.text : yaml)
  const latest = useRef({ model: shown, onChange })
  latest.current = { model: shown, onChange }
  const edit = useCallback(
    (path: Path, change: FieldEdit) => {
      const { model: before, onChange: tell } = latest.current
      performance.mark('values-edit-begins')
      const next = changed(before, path, change)
      performance.measure('values-edit', 'values-edit-begins')
      if (next === before) return
      // Entries that others follow have other places now, and what a form has no room for takes its drafts along.
      if (change.kind === 'remove' && typeof path.at(-1) === 'number') kept.drafts.dropBelow(path.slice(0, -1))
      else if (change.kind !== 'value' && change.kind !== 'yaml') kept.drafts.dropBelow(path)
      latest.current = { model: next, onChange: tell }
      setModel(next)
      tell(next.text)
    },
    [kept],
  )
  return useMemo(() => ({ model: shown, edit, ...kept }), [shown, edit, kept])
}

/** Drops the drafts of fields whose value is no longer the one typed over; text in the editor is read after a pause. */
function usePruning(drafts: Drafts, { fields, text, schema, defaults }: ValuesModel, yaml: string): void {
  useEffect(() => {
    if (drafts.all().length === 0) return
    if (text === yaml) return drafts.prune(fields)
    const wait = setTimeout(() => {
      if (yamlProblem(yaml) === undefined) drafts.prune(openValues(yaml, schema, { defaults }).fields)
    }, restMs)
    return () => clearTimeout(wait)
  }, [drafts, fields, text, schema, defaults, yaml])
}

const restMs = 600

/** The form has been drawn by then. */
const quietMs = 300
let isReady = false

/** A browser compiles what an edit needs when it is first run, which takes longer than the edit: nobody waits for it. */
function makeReady(): void {
  if (isReady) return
  isReady = true
  changeValues(openValues('a:\n  b: 1\n', undefined), ['a', 'b'], { kind: 'value', value: 2 })
}

/** Applies an edit; an edit that YAML cannot hold changes nothing, and its field shows the reason. */
function changed(model: ValuesModel, path: Path, edit: FieldEdit): ValuesModel {
  try {
    return changeValues(model, path, edit)
  } catch (error) {
    if (error instanceof YamlRefused) return model
    throw error
  }
}
