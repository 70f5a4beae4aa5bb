import { createContext, type ReactNode, useContext, useRef, useState } from 'react'
import { Button } from './button.tsx'
import styles from './confirm.module.css'

interface Question {
  title?: string
  message?: ReactNode
  /** 'confirm' asks with Cancel and Confirm, 'alert' only tells, with OK. */
  type?: 'confirm' | 'alert'
  /** A red Confirm, for what cannot be taken back. */
  danger?: boolean
}

type Ask = (question?: Question) => Promise<boolean>

const ConfirmContext = createContext<Ask | undefined>(undefined)

/** Asks before something happens: `if (await confirm({ message: … })) …`. */
export function useConfirm(): Ask {
  const ask = useContext(ConfirmContext)
  if (ask === undefined) throw new Error('useConfirm needs a ConfirmProvider above it')
  return ask
}

/** Holds the one confirmation dialog; the browser's own dialog keeps focus inside and closes on Escape. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>()
  const answer = useRef<(yes: boolean) => void>(undefined)
  const ask: Ask = (asked = {}) => {
    answer.current?.(false)
    setQuestion(asked)
    return new Promise((resolve) => {
      answer.current = resolve
    })
  }
  const say = (yes: boolean) => {
    answer.current?.(yes)
    answer.current = undefined
    setQuestion(undefined)
  }
  return (
    <ConfirmContext value={ask}>
      {children}
      {question !== undefined && <ConfirmDialog question={question} onAnswer={say} />}
    </ConfirmContext>
  )
}

function ConfirmDialog({ question, onAnswer }: { question: Question; onAnswer: (yes: boolean) => void }) {
  const { title = 'Confirm', message = 'Are you sure?', type = 'confirm', danger = false } = question
  return (
    <dialog
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal()
      }}
      className={styles.dialog}
      aria-labelledby="confirm-title"
      aria-describedby="confirm-message"
      onCancel={(event) => {
        event.preventDefault()
        onAnswer(false)
      }}
    >
      <h2 id="confirm-title">
        <bdi>{title}</bdi>
      </h2>
      <p id="confirm-message" className={styles.message}>
        <bdi>{message}</bdi>
      </p>
      <div className={styles.buttons}>
        {type === 'confirm' && <Button onClick={() => onAnswer(false)}>Cancel</Button>}
        <Button look={danger ? 'danger' : 'primary'} onClick={() => onAnswer(true)}>
          {type === 'confirm' ? 'Confirm' : 'OK'}
        </Button>
      </div>
    </dialog>
  )
}
