import { type ReactNode, useId } from 'react'
import styles from './panel.module.css'

interface Props {
  title?: string
  /** At the inline end of the title line. */
  aside?: ReactNode
  children: ReactNode
  /** Without inner padding, for tables and lists. */
  flush?: boolean
}

/** A framed region with its name. */
export function Panel({ title, aside, children, flush = false }: Props) {
  const id = useId()
  return (
    <section className={styles.panel} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <header className={styles.head}>
          <h2 id={id} className={styles.title}>
            <bdi>{title}</bdi>
          </h2>
          {aside !== undefined && <div className={styles.aside}>{aside}</div>}
        </header>
      )}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  )
}

/** Names on one side, values on the other. */
export function FactList({ facts }: { facts: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
