import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { Fragment, type ReactNode } from 'react'
import styles from './why-answer.module.css'

interface LineProps {
  held: boolean
  /** One of several rows of a list, with hairlines between them. */
  rows?: boolean
  /** At the inline end. */
  action?: ReactNode
  children: ReactNode
}

/** A line with a tick or a cross, which say so in words as well. */
export function RightLine({ held, rows = false, action, children }: LineProps) {
  const Sign = held ? IconCheck : IconX
  return (
    <li className={rows ? styles.right : styles.line}>
      <span className={held ? styles.yes : styles.no}>
        <Sign size={16} stroke={2} aria-hidden />
        <span className="unseen">{held ? 'Yes: ' : 'No: '}</span>
      </span>
      <span className={styles.text}>
        <bdi>{children}</bdi>
      </span>
      {action}
    </li>
  )
}

/** 'Deployer, Manager and Owner', each name standing out. */
export function Names({ names, code = false }: { names: readonly string[]; code?: boolean }) {
  return names.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && (index === names.length - 1 ? ' and ' : ', ')}
      {code ? (
        <code>{name}</code>
      ) : (
        <strong>
          <bdi>{name}</bdi>
        </strong>
      )}
    </Fragment>
  ))
}
