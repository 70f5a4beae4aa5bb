import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import type { ComponentProps } from 'react'
import { Tooltip } from '../layout/tooltip.tsx'
import { classNames } from '../marks/class-names.ts'
import { Button, buttonClass, IconButton } from './button.tsx'
import { type Right, useExplain } from './explain.ts'
import styles from './guarded-button.module.css'

type Props = ComponentProps<typeof Button> & Right

/** A button that a right opens. Without the right it stays where it is, closed, and says why when it is pressed. */
export function GuardedButton({ allowed, why, icon, look, small, children, className, onClick, ...rest }: Props) {
  const explain = useExplain()
  if (allowed !== false) {
    return (
      <Button
        {...rest}
        {...{ icon, look, small, className, onClick }}
        disabled={rest.disabled === true || allowed === undefined}
      >
        {children}
      </Button>
    )
  }
  return (
    <Tooltip text="You do not have the right to do this. Select it to see why.">
      <button
        type="button"
        aria-label={rest['aria-label']}
        aria-disabled="true"
        aria-haspopup="dialog"
        className={classNames(buttonClass('default', small), styles.closed, className)}
        onClick={() => explain(why)}
      >
        <IconLock size={16} stroke={1.75} aria-hidden />
        {children}
      </button>
    </Tooltip>
  )
}

/** The same for a button with an icon alone. */
export function GuardedIconButton({ allowed, why, onClick, ...rest }: ComponentProps<typeof IconButton> & Right) {
  const explain = useExplain()
  if (allowed === true) return <IconButton {...rest} onClick={onClick} />
  if (allowed === undefined) return <IconButton {...rest} disabled />
  return (
    <Tooltip text={`${rest.label}: you do not have the right to do this. Select it to see why.`}>
      <IconButton {...rest} title="" aria-disabled="true" aria-haspopup="dialog" onClick={() => explain(why)} />
    </Tooltip>
  )
}
