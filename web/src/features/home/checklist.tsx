import IconCircle from '@tabler/icons-react/dist/esm/icons/IconCircle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/actions/button.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import styles from './checklist.module.css'
import { checklistFor, type Holdings } from './checklist.ts'

/** The way of a new tenant to its first app. */
export function Checklist({ holdings }: { holdings: Holdings }) {
  const steps = checklistFor(holdings)
  const next = steps.find(({ done }) => !done)
  const done = steps.filter((step) => step.done).length
  return (
    <Panel
      title="Your first deployment"
      flush
      aside={
        <bdi>
          {done} of {steps.length} done
        </bdi>
      }
    >
      <ol className={styles.steps}>
        {steps.map((step) => {
          const StepIcon = step.done ? IconCircleCheck : IconCircle
          return (
            <li key={step.title} className={styles.step} data-done={step.done}>
              <StepIcon size={20} stroke={1.6} aria-hidden className={styles.icon} />
              <span className={styles.what}>
                <strong>{step.title}</strong>
                <span className={styles.text}>
                  <bdi>{step.text}</bdi>
                </span>
              </span>
              <span className="unseen">{step.done ? 'Done' : 'To do'}</span>
              {step === next && (
                <Link to={step.to} className={buttonClass('primary')}>
                  {step.title}
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
