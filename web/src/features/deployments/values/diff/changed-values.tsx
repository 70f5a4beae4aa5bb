import type { ChangedSetting, ComparedValues } from '@quayside/values/merge/changed-settings'
import { texts } from '../../texts.ts'
import styles from './changed-values.module.css'
import { useChangedSettings } from './use-changed-settings.ts'

const t = texts.changed

interface Props extends ComparedValues {
  /** With what they are compared. */
  than: keyof typeof t.than
}

/** How many settings are others than there, and which, for whoever wants to know. */
export function ChangedValues({ than, ...compared }: Props) {
  const found = useChangedSettings(compared)
  const { none, one, many } = t.than[than]
  if (found === undefined) return <p className={styles.line}>{t.comparing}</p>
  if (found === null) return <p className={styles.line}>{t.unreadable}</p>
  const { count, shown } = found
  if (count === 0) return <p className={styles.line}>{none}</p>
  return (
    <details className={styles.changed}>
      <summary>
        <bdi>{count === 1 ? one : many.replace('{n}', String(count))}</bdi>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <ul className={styles.list} dir="ltr" aria-label={t.list} tabIndex={0}>
        {shown.map((setting) => (
          <Setting key={setting.path} setting={setting} />
        ))}
        {count > shown.length && <li>{t.more.replace('{n}', String(count - shown.length))}</li>}
      </ul>
    </details>
  )
}

function Setting({ setting: { path, before, after } }: { setting: ChangedSetting }) {
  return (
    <li>
      <bdi className={styles.path}>{path}</bdi>: <Value text={before} /> → <Value text={after} />
    </li>
  )
}

function Value({ text }: { text: string | undefined }) {
  return text === undefined ? <i>{t.notSet}</i> : <bdi>{text}</bdi>
}
