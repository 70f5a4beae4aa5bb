import type { MessageType } from '@quayside/contract/deployments/endpoints'
import type { RegisterReply, Stamp, Waiting } from '@quayside/contract/live/live'
import { type Dispatch, useEffect, useReducer, useRef } from 'react'
import type { Socket } from 'socket.io-client'
import type { ProgressAction } from '../texts.ts'
import { type Progress, type ProgressEvent, reasonOf, reduce, startOf } from './progress.ts'
import type { SentAction } from './use-send-action.ts'

const eventNames = [
  'message',
  'IAM',
  'Prepare',
  'Deploy',
  'Upgrade',
  'Rollback',
  'Delete',
  'helmresult',
  'hookresult',
] as const
const supported = {
  assign: true,
  prepare: true,
  ensurenamespace: true,
  deploy: true,
  upgrade: true,
  rollback: true,
  delete: true,
  iam: true,
  helm: true,
} as const satisfies Record<MessageType, true>
/** The deployment counts as running half a second after its request was accepted. */
const markRunningMs = 500
const registerAgainMs = 1000
const passing = /^(database\.|internal$)/

interface Followed extends SentAction {
  action: ProgressAction
  releaseName: string
  socket: Socket | undefined
}

/**
 * Follows an action on the wizard's socket, from its first event on: the server sends from the ledger what came before
 * the socket was registered, and what was missed while it was away.
 */
export function useProgress({ action, releaseName, socket, actionId, error }: Followed): Progress {
  const [progress, dispatch] = useReducer(reduce, action, startOf)
  const lastSeq = useRef(0)
  lastSeq.current = progress.lastSeq

  useEffect(() => {
    if (error !== undefined) dispatch({ kind: 'request-failed', message: reasonOf(action, error) })
  }, [action, error])

  useEffect(() => {
    if (actionId === undefined) return
    dispatch({ kind: 'accepted', actionId })
    const timer = setTimeout(() => dispatch({ kind: 'running' }), markRunningMs)
    return () => clearTimeout(timer)
  }, [actionId])

  useEffect(() => {
    if (socket === undefined || actionId === undefined) return
    let retry: ReturnType<typeof setTimeout> | undefined
    const register = () => {
      socket.emit('register', { releaseName, lastSeq: lastSeq.current, actionId }, (reply: RegisterReply) => {
        if (reply.ok) return
        // The action goes on whether anybody looks at it or not: what can be better in a moment is no end of it.
        if (passing.test(reply.code)) retry = setTimeout(register, registerAgainMs)
        else dispatch({ kind: 'request-failed', message: reply.message })
      })
    }
    const stopListening = listen(socket, dispatch)
    socket.on('connect', register)
    if (socket.connected) register()
    return () => {
      clearTimeout(retry)
      stopListening()
      socket.off('connect', register)
      if (socket.connected) socket.emit('deregister', releaseName)
    }
  }, [socket, releaseName, actionId])

  return progress
}

/** Hands the events of a socket over, until the function that it returns is called. */
function listen(socket: Socket, dispatch: Dispatch<ProgressEvent>): () => void {
  const listeners = eventNames.map((name) => {
    const listener = (payload: Stamp & { type?: unknown }) => {
      // Its line is shown with those of the deployment all the same.
      if (name === 'message' && !Object.hasOwn(supported, String(payload.type)))
        console.warn(`Unsupported message type '${String(payload.type)}'`)
      const { seq, at, actionId } = payload
      dispatch({ kind: 'event', event: name, payload, seq, at, actionId })
    }
    return [name, listener] as const
  })
  const onWaiting = (waiting: Waiting) => dispatch({ kind: 'waiting', waiting })
  for (const [name, listener] of listeners) socket.on(name, listener)
  socket.on('waiting', onWaiting)
  return () => {
    for (const [name, listener] of listeners) socket.off(name, listener)
    socket.off('waiting', onWaiting)
  }
}
