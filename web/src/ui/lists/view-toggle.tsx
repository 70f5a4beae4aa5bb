import styles from './view-toggle.module.css'

interface Props<K extends string> {
  label: string
  views: readonly { key: K; title: string }[]
  value: K
  onChange: (key: K) => void
}

/** A few views of the same thing, side by side, one of them pressed. */
export function ViewToggle<K extends string>({ label, views, value, onChange }: Props<K>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons, not fields of a form.
    <div role="group" aria-label={label} className={styles.toggle}>
      {views.map(({ key, title }) => (
        <button key={key} type="button" aria-pressed={value === key} onClick={() => onChange(key)}>
          {title}
        </button>
      ))}
    </div>
  )
}
