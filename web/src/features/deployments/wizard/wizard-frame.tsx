import { Modal } from '@mantine/core'
import {
  createContext,
  memo,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useRef,
  useSyncExternalStore,
} from 'react'
import { awaiting } from '../../../lib/api/until-answered.ts'
import { Avatar } from '../../../ui/marks/avatar.tsx'
import { classNames } from '../../../ui/marks/class-names.ts'
import '../../../ui/theme/mantine.css'
import { texts } from '../texts.ts'
import { useSettled } from './settled-buttons.ts'
import { stepIdOf } from './steps-of.ts'
import styles from './wizard-frame.module.css'

export interface WizardCard {
  displayName: string
  color: string
  category: string
  manufacturerName: string
  icon: string | null
}

interface Props {
  title: string
  subtitle: ReactNode
  card: WizardCard
  steps: readonly string[]
  current: number
  children: ReactNode
  /** Cancel at the inline start, the rest at the inline end. */
  cancel?: ReactNode
  actions: ReactNode
  note?: ReactNode
  /** For wizards whose steps are all short. */
  low?: boolean | undefined
}

const Shown = createContext<Props | undefined>(undefined)

/** The frame of every deployment wizard: 826 px, linear steps that only look, no way out but its buttons. */
export function WizardFrame(props: Props) {
  return (
    <Shown value={props}>
      <Window />
    </Shown>
  )
}

/** Drawn once: what is in it changes with every letter that somebody types. */
const Window = memo(() => (
  <Modal
    opened
    onClose={() => undefined}
    size={826}
    centered
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
    padding={0}
    classNames={{ content: styles.content, body: styles.modalBody, inner: styles.inner }}
  >
    <Inside />
  </Modal>
))

function Inside() {
  const shown = use(Shown)
  const body = useRef<HTMLDivElement>(null)
  const current = shown?.current ?? 0
  const isAway = useSyncExternalStore(awaiting.onChange, awaiting.is)
  // Each step starts at its top, with the reader's focus on it.
  useEffect(() => {
    if (current >= 0) body.current?.focus({ preventScroll: true })
    body.current?.scrollTo({ top: 0 })
  }, [current])
  useCaughtFocus(body)
  const settled = useSettled(`${current} ${shown?.title}`)
  if (shown === undefined) return null
  const { title, subtitle, card, steps, children, cancel, actions, note, low = false } = shown
  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <Avatar name={card.displayName} color={card.color} image={card.icon} />
          <div className={styles.words}>
            <Modal.Title>
              <bdi>{title}</bdi>
            </Modal.Title>
            <p>{subtitle}</p>
          </div>
        </div>
        <ol className={styles.steps} aria-label="Steps">
          {steps.map((step, index) => (
            <li
              key={step}
              className={classNames(
                styles.step,
                index <= current && styles.reached,
                index === current && styles.current,
              )}
              aria-current={index === current ? 'step' : undefined}
            >
              {step}
            </li>
          ))}
        </ol>
      </header>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not scroll, and a landmark would be named twice. */}
      <div
        ref={body}
        role="group"
        aria-label={steps[current]}
        data-autofocus
        data-step={stepIdOf(steps[current])}
        className={classNames(styles.body, low && styles.low)}
        tabIndex={-1}
      >
        {children}
      </div>
      <footer className={classNames(styles.foot, settled.isMoving && styles.moving)} {...settled.guard}>
        {cancel}
        <span className={styles.note}>{isAway ? <span role="status">{texts.away}</span> : note}</span>
        {actions}
      </footer>
    </>
  )
}

/** A button that is busy lets go of the focus: the next Tab goes on in the step, not in the page behind the window. */
function useCaughtFocus(step: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const catchIt = ({ key }: KeyboardEvent) => {
      if (key === 'Tab' && document.activeElement === document.body) step.current?.focus({ preventScroll: true })
    }
    document.addEventListener('keydown', catchIt, true)
    return () => document.removeEventListener('keydown', catchIt, true)
  }, [step])
}
