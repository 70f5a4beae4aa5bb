import type { MessageType } from '@quayside/contract/deployments/endpoints'
import type { RegisterReply, Stamp, Waiting } from '@quayside/contract/live/live'
import { useEffect, useReducer, useRef } from 'react'
import type { Socket } from 'socket.io-client'
import { usePortal } from '../../../lib/portal.tsx'
import type { ProgressAction } from '../texts.ts'
import { type Progress, reasonOf, reduce, startOf } from './progress.ts'

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

interface Wanted {
  action: ProgressAction
  releaseName: string
  /** Follows this action; left out, it starts one by `start`. */
  actionId?: string
  /** Posts the action once the socket has registered, with the socket's id. */
  start?: (socketId: string | undefined) => Promise<{ actionId: string }>
  /** Told why it was not started when nobody looks at it any more. */
  onUnseen?: (error: unknown) => void
}

/** Registers the release on a socket of its own, starts the action if asked to, and keeps the picture. */
export function useProgress(wanted: Wanted): Progress {
  const { live } = usePortal()
  const [progress, dispatch] = useReducer(reduce, wanted.action, startOf)
  const last = useRef({ seq: 0, actionId: wanted.actionId })
  last.current = { seq: progress.lastSeq, actionId: progress.actionId ?? wanted.actionId }
  const first = useRef(wanted)

  useEffect(() => {
    const { releaseName, start, onUnseen } = first.current
    let socket: Socket | undefined
    let closed = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    let started = false

    const register = (actionId: string | undefined, lastSeq: number) => {
      if (socket?.connected !== true || actionId === undefined) return
      socket.emit('register', { releaseName, lastSeq, actionId }, (reply: RegisterReply) => {
        if (reply.ok) return
        // The action goes on whether anybody looks at it or not: what can be better in a moment is no end of it.
        if (passing.test(reply.code)) retry = setTimeout(() => register(actionId, last.current.seq), registerAgainMs)
        else dispatch({ kind: 'request-failed', message: reply.message })
      })
    }
    const begin = () => {
      register(last.current.actionId, last.current.seq)
      if (started || start === undefined) return
      started = true
      start(socket?.id)
        .then(({ actionId }) => {
          if (closed) return
          dispatch({ kind: 'accepted', actionId })
          timer = setTimeout(() => dispatch({ kind: 'running' }), markRunningMs)
          // The ledger replays from its first line, so nothing is lost by registering only now.
          register(actionId, 0)
        })
        .catch((error: unknown) => {
          if (closed) return onUnseen?.(error)
          dispatch({ kind: 'request-failed', message: reasonOf(first.current.action, error) })
        })
    }

    live.open().then((opened) => {
      if (closed) return opened.disconnect()
      socket = opened
      for (const name of eventNames) {
        socket.on(name, (payload: Stamp & { type?: unknown }) => {
          // Its line is shown with those of the deployment all the same.
          if (name === 'message' && !Object.hasOwn(supported, String(payload.type)))
            console.warn(`Unsupported message type '${String(payload.type)}'`)
          dispatch({
            kind: 'event',
            event: name,
            payload,
            seq: payload.seq,
            at: payload.at,
            actionId: payload.actionId,
          })
        })
      }
      socket.on('waiting', (waiting: Waiting) => dispatch({ kind: 'waiting', waiting }))
      socket.on('connect', begin)
      if (socket.connected) begin()
      return socket
    }, begin)

    return () => {
      closed = true
      // Whoever has closed it has asked for it all the same, and needs no socket any more.
      begin()
      clearTimeout(timer)
      clearTimeout(retry)
      socket?.emit('deregister', releaseName)
      socket?.disconnect()
    }
  }, [live])

  return progress
}
