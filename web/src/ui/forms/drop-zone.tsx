import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { type DragEvent, type ReactNode, useId, useState } from 'react'
import { classNames } from '../marks/class-names.ts'
import styles from './drop-zone.module.css'

interface Props {
  label: string
  hint?: string
  /** The `accept` attribute of the file input: '.tgz,.tar.gz'. */
  accept?: string
  multiple?: boolean
  disabled?: boolean
  onFiles: (files: File[]) => void
  children?: ReactNode
}

/** Files by drop or by picker; the whole area is the label of a real file input. */
export function DropZone({ label, hint, accept, multiple = false, disabled = false, onFiles, children }: Props) {
  const id = useId()
  const [over, setOver] = useState(false)
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])]
    if (files.length > 0 && !disabled) onFiles(multiple ? files : files.slice(0, 1))
  }
  const drag = (inside: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(inside && !disabled)
  }
  return (
    <label
      htmlFor={id}
      className={classNames(styles.zone, over && styles.over, disabled && styles.disabled)}
      onDragEnter={drag(true)}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event)
        take(event.dataTransfer.files)
      }}
    >
      <IconUpload size={22} stroke={1.5} aria-hidden />
      <bdi className={styles.label}>{label}</bdi>
      {hint !== undefined && <bdi className={styles.hint}>{hint}</bdi>}
      {children}
      <input
        id={id}
        type="file"
        className="unseen"
        accept={accept}
        multiple={multiple}
        disabled={disabled}
        onChange={(event) => {
          take(event.target.files)
          event.target.value = ''
        }}
      />
    </label>
  )
}
