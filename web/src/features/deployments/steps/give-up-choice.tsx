import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import { texts } from '../texts.ts'
import styles from './steps.module.css'

/** The choice of a wizard whether an action that cannot succeed any more ends before its time limit. */
export interface GiveUp {
  givesUpEarly: boolean
  setGivesUpEarly(on: boolean): void
}

/** Asks whether to end early; on unless somebody switches it off. */
export function GiveUpChoice({ giveUp: { givesUpEarly, setGivesUpEarly } }: { giveUp: GiveUp }) {
  return (
    <div>
      <Checkbox checked={givesUpEarly} onChange={setGivesUpEarly}>
        {texts.giveUp.label}
      </Checkbox>
      <p className={styles.text}>{texts.giveUp.help}</p>
    </div>
  )
}
