import { classNames } from '../marks/class-names.ts'
import styles from './state-badge.module.css'
import { type StateLook, stateLookOf } from './state-look.ts'

interface Props {
  /** A state word of the contract ('healthy', 'degraded', 'failed' …). */
  state: string
  /** Another word than the state's own. */
  label?: string
  /** With a tinted ground, for headers. */
  boxed?: boolean
}

/** A state in colour, shape and word. */
export function StateBadge({ state, label, boxed = false }: Props) {
  const { look, word } = stateLookOf(state)
  return (
    <span className={classNames(styles.badge, styles[look], boxed && styles.boxed)}>
      <StateShape look={look} />
      <bdi>{label ?? word}</bdi>
    </span>
  )
}

/** The shape alone; its look is also its class. */
function StateShape({ look }: { look: StateLook }) {
  return <span className={classNames(styles.shape, styles[look])} aria-hidden="true" />
}
