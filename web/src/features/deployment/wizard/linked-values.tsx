import { mergeValues } from '@quayside/contract/values/merge-values'
import { YamlRefused } from '@quayside/contract/values/yaml-document'
import { texts } from '../texts.ts'
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
