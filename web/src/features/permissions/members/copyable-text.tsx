import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { useState } from 'react'
import { Button } from '../../../ui/actions/button.tsx'
import styles from './copyable-text.module.css'

const saidForMs = 2000

/** A text to send to somebody, with the button that copies it. */
export function CopyableText({ label, text }: { label: string; text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), saidForMs)
  }
  return (
    <div className={styles.box}>
      <bdi className={styles.text}>{text}</bdi>
      <Button small icon={IconCopy} onClick={() => void copy()}>
        {copied ? 'Copied' : label}
      </Button>
    </div>
  )
}
