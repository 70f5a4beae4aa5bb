import { useEffect, useRef, useState } from 'react'
import { type CommandBody, postAction } from '../../../api/deployments/deployments.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { useTellFailure } from '../../../ui/actions/tell-failure.ts'
import { type ProgressAction, progressWords } from '../texts.ts'
import { useWizardSocket } from './use-wizard-socket.ts'

/** A command that was posted: the action once it was accepted, or why it was refused. */
export interface SentAction {
  actionId?: string | undefined
  error?: unknown
}

/**
 * Posts the command of a wizard from the click on its button, once however often it is clicked, with the id of the
 * wizard's socket. What was posted goes on when the wizard is closed; a refusal is told in a dialog then.
 */
export function useSendAction<K extends ProgressAction>(kind: K) {
  const { api } = usePortal()
  const socket = useWizardSocket()
  const tell = useTellFailure()
  const closed = useClosed()
  const isSent = useRef(false)
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [sent, setSent] = useState<SentAction>()
  const [givesUpEarly, setGivesUpEarly] = useState(true)

  const send = (body: CommandBody<K>) => {
    if (isSent.current || closed.aborted) return
    isSent.current = true
    setSent({})
    const giveUp = givesUpEarly ? {} : { giveUpEarly: false }
    postAction(api, kind, { ...body, ...giveUp, socketId: socket?.id }, key).then(
      ({ actionId }) => setSent({ actionId }),
      (error: unknown) => (closed.aborted ? tell(progressWords[kind].task.failed)(error) : setSent({ error })),
    )
  }
  /** Lets the command be sent anew, with a key of its own. */
  const reset = () => {
    isSent.current = false
    setSent(undefined)
    setKey(crypto.randomUUID())
  }
  return { socket, sent, send, reset, giveUp: { givesUpEarly, setGivesUpEarly } }
}

/** Aborts when the wizard is gone. */
export function useClosed(): AbortSignal {
  const [abort] = useState(() => new AbortController())
  useEffect(() => () => abort.abort(), [abort])
  return abort.signal
}
