import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import styles from './search-field.module.css'

interface Props {
  /** Its name and, in short, what is searched: 'Name, tag, space, version'. */
  label: string
  value: string
  onChange: (text: string) => void
}

export function SearchField({ label, value, onChange }: Props) {
  return (
    <div className={styles.search}>
      <IconSearch size={16} stroke={1.75} aria-hidden className={styles.icon} />
      <input
        type="search"
        className={styles.input}
        aria-label={`Search: ${label}`}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
