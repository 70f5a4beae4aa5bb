import type { Remedy, ValidationResult } from '@quayside/contract/deployments/endpoints'
import { writeFields } from '@quayside/values/yaml/write-field'
import { Button } from '../../../ui/actions/button.tsx'
import { texts } from '../texts.ts'
import styles from './outside-needs.module.css'

const t = texts.remedy

interface Props {
  /** The text that the result is about. */
  yaml: string
  result: ValidationResult
  onChange: (yaml: string) => void
}

/** Values with which the refused network policies of a chart are left out, set by one click. */
export function PolicyRemedy({ yaml, result: { remedy }, onChange }: Props) {
  if (remedy.length === 0) return null
  return (
    <section className={styles.needs} aria-label={t.title}>
      <h4 className={styles.title}>{t.title}</h4>
      <p className={styles.text}>{t.text}</p>
      <ul className={styles.list}>
        {remedy.map((change) => (
          <li key={nameOf(change)}>
            <code className={styles.name}>{`${nameOf(change)}=${change.value}`}</code>
          </li>
        ))}
      </ul>
      <div>
        <Button small onClick={() => onChange(writeFields(yaml, remedy))}>
          {t.apply}
        </Button>
      </div>
    </section>
  )
}

const nameOf = ({ path }: Remedy[number]) => path.join('.')
