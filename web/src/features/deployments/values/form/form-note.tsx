import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import { texts } from '../../texts.ts'
import { useDrafts } from './drafts/drafts.ts'
import type { Values } from './use-values.ts'
import styles from './values-form.module.css'
import { whyClosed } from './why-closed.ts'

const t = texts.infrastructure

interface Props {
  values: Values
  yaml: string
  /** Tells whether the server has refused this very text. */
  isRefused: boolean
  /** How many settings differ from the chart's own. */
  changes: number
}

const nothing: readonly FieldConfiguration[] = []

/** Beside Next: why it is shut, or what was changed. */
export function FormNote({ values, yaml, isRefused, changes }: Props) {
  const drafts = useDrafts(values.drafts)
  const { model } = values
  const why = whyClosed({ yaml, drafts, refused: isRefused && model.text === yaml ? model.fields : nothing })
  if (why !== undefined)
    return (
      <span role="status" className={styles.why}>
        <bdi>{why}</bdi>
      </span>
    )
  if (changes === 0) return null
  return <bdi>{changes === 1 ? t.oneChange : t.changes.replace('{n}', String(changes))}</bdi>
}
