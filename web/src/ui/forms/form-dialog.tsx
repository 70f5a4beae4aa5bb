import { Modal } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { Button } from '../actions/button.tsx'
import { ErrorPanel } from '../states/error-panel.tsx'
import styles from './form-dialog.module.css'
import '../theme/mantine.css'

interface Props {
  title: string
  submitLabel: string
  onClose: () => void
  onSubmit: () => void
  busy: boolean
  disabled?: boolean
  /** A failed save that no field explains. */
  error?: unknown
  /** The name of the area that says it; the dialog's title when there is none. */
  errorName?: string
  children: ReactNode
}

/** A small form over the page. Nothing typed is lost when the save fails. */
export function FormDialog({
  title,
  submitLabel,
  onClose,
  onSubmit,
  busy,
  disabled,
  error,
  errorName = title,
  children,
}: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={560}
      closeOnClickOutside={false}
      classNames={{ inner: styles.around, content: styles.dialog }}
    >
      <form onSubmit={submit} className={styles.form} noValidate>
        {children}
        {error != null && <ErrorPanel error={error} name={errorName} />}
        <div className={styles.buttons}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy} disabled={disabled}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
