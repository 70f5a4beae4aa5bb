import styles from './panels.module.css'

interface Props {
  label: string
  titles: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}

/** The figures of a drawing as a table; it scrolls within its panel. */
export function FigureTable({ label, titles, rows }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <div className={styles.scroller} tabIndex={0}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first = '', ...rest]) => (
            <tr key={`${first} ${rest.join(' ')}`}>
              <th scope="row">
                <bdi>{first}</bdi>
              </th>
              {rest.map((value, at) => (
                <td key={titles[at + 1]}>
                  <bdi>{value}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
