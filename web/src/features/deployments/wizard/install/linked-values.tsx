import { mergeWithinForm } from '@quayside/values/form/within-form'
import { mergeValues } from '@quayside/values/merge/merge-values'
import { YamlRefused } from '@quayside/values/yaml/yaml-document'
import { texts } from '../../texts.ts'
import styles from './linked-values.module.css'

/** The version's own values with those of a link laid over; what cannot be read changes nothing. */
export function withLinked(yaml: string, linked: string | undefined): string {
  if (linked === undefined || linked === '') return yaml
  try {
    return mergeValues(yaml, linked)
  } catch (error) {
    if (error instanceof YamlRefused) return yaml
    throw error
  }
}

interface Limits {
  /** The chart's own values. */
  defaults: string
  schema: unknown
  /** Tells whether the person may write YAML; if so, values that no form shows may be taken over too. */
  mayYaml: boolean
}

/**
 * The same with values that somebody else chose; `left` names those that this person could neither see nor take back.
 */
export function withForeign(yaml: string, over: string | undefined, limits: Limits): { yaml: string; left: string[] } {
  if (over === undefined || over === '' || limits.mayYaml) return { yaml: withLinked(yaml, over), left: [] }
  try {
    return mergeWithinForm(yaml, over, limits)
  } catch (error) {
    if (error instanceof YamlRefused) return { yaml, left: [] }
    throw error
  }
}

/** Says where the values of an installation that goes on come from. */
export function ResumedNote({ hasDraft }: { hasDraft: boolean }) {
  return (
    <p role="note" className={styles.note}>
      {hasDraft ? texts.resumed.asLeft : texts.resumed.anew}
    </p>
  )
}

/** Says that somebody else chose these values. */
export function LinkNote({ isRead }: { isRead: boolean }) {
  return (
    <p role="note" className={styles.note}>
      {isRead ? texts.presets.fromLink : texts.presets.brokenLink}
    </p>
  )
}

const mostNamed = 8

/** Names what of somebody else's values was not taken over. */
export function LeftOut({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <p role="status" className={styles.note}>
      <bdi>{texts.presets.leftOut}</bdi>{' '}
      <bdi className="mono" dir="ltr">
        {names.slice(0, mostNamed).join(', ')}
        {names.length > mostNamed && ' …'}
      </bdi>
    </p>
  )
}
