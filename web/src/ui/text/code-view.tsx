import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { useState } from 'react'
import { Button } from '../actions/button.tsx'
import styles from './code-view.module.css'

interface Props {
  /** The name of the text, for the copy button and for screen readers: 'values.yaml'. */
  label: string
  code: string
  maxHeight?: number | string
}

/** Text to read and to copy, in mono and left to right in every language. */
export function CodeView({ label, code, maxHeight = 480 }: Props) {
  const [copied, setCopied] = useState(false)
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.head}>
        <span>{label}</span>
        <Button
          small
          look="quiet"
          icon={IconCopy}
          onClick={() => void navigator.clipboard.writeText(code).then(() => setCopied(true))}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </figcaption>
      <section
        className={styles.scroll}
        style={{ maxBlockSize: maxHeight }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        dir="ltr"
        aria-label={label}
      >
        <pre className={styles.code}>
          <code>{code}</code>
        </pre>
      </section>
    </figure>
  )
}
