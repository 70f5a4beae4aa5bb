import { useState } from 'react'
import styles from './copyable-id.module.css'

const saidForMs = 1200

/** An identifier in mono; a click copies it and says so. */
export function CopyableId({ id, label = 'id' }: { id: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(id)
    setCopied(true)
    setTimeout(() => setCopied(false), saidForMs)
  }
  return (
    <button type="button" className={styles.id} onClick={() => void copy()} title={`Copy ${label}`}>
      <bdi dir="ltr">{id}</bdi>
      <span className={copied ? styles.said : 'unseen'} role="status">
        {copied ? 'Copied' : ''}
      </span>
    </button>
  )
}
