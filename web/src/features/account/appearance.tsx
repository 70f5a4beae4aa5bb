import { type Preferences, setPreference, usePreferences } from '../../lib/preferences.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import styles from './appearance.module.css'

/** How the portal looks in this browser. */
export function Appearance() {
  return (
    <Panel title="Appearance">
      <Choice of="theme" title="Theme" options={{ 'app-dark': 'Dark', 'app-light': 'Light' }} />
      <Choice of="direction" title="Text direction" options={{ ltr: 'Left to right', rtl: 'Right to left' }} />
      <Choice of="rows" title="Table rows" options={{ comfortable: 'Comfortable', compact: 'Compact' }} />
      <p className={styles.note}>
        <bdi>Saved in this browser only.</bdi>
      </p>
    </Panel>
  )
}

interface Props<K extends keyof Preferences> {
  of: K
  title: string
  options: Record<Preferences[K], string>
}

function Choice<K extends keyof Preferences>({ of, title, options }: Props<K>) {
  const preferences = usePreferences()
  return (
    <fieldset className={styles.choice}>
      <legend>{title}</legend>
      {(Object.keys(options) as Preferences[K][]).map((value) => (
        <label key={value} className={styles.option}>
          <input
            type="radio"
            name={of}
            value={value}
            checked={preferences[of] === value}
            onChange={() => setPreference(of, value)}
          />
          {options[value]}
        </label>
      ))}
    </fieldset>
  )
}
