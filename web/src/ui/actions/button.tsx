import type { Icon } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { classNames } from '../marks/class-names.ts'
import { Spinner } from '../states/spinner.tsx'
import styles from './button.module.css'

type ButtonLook = 'primary' | 'default' | 'quiet' | 'danger'

/** The class of a button, for a link that looks like one. */
export function buttonClass(look: ButtonLook = 'default', small = false): string {
  return classNames(styles.button, styles[look], small && styles.small)
}

interface Props extends ComponentProps<'button'> {
  look?: ButtonLook
  icon?: Icon
  small?: boolean
  /** Shows a spinner and takes no further clicks. */
  busy?: boolean
}

export function Button({ look, icon: ButtonIcon, small, busy = false, children, className, disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || busy}
      className={classNames(buttonClass(look, small), className)}
    >
      {busy ? <Spinner size={16} /> : ButtonIcon && <ButtonIcon size={16} stroke={1.75} aria-hidden />}
      {children}
    </button>
  )
}

/** The class of a button with an icon alone, for one that is drawn elsewhere. */
export const iconButtonClass: string | undefined = styles.icon

interface IconButtonProps extends ComponentProps<'button'> {
  icon: Icon
  /** Its name for everyone who does not see the icon; shown on hover too. */
  label: string
  size?: number
}

export function IconButton({ icon: ButtonIcon, label, size = 18, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" aria-label={label} title={label} {...rest} className={classNames(styles.icon, className)}>
      <ButtonIcon size={size} stroke={1.75} aria-hidden />
    </button>
  )
}
