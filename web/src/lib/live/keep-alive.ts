import type { Socket } from 'socket.io-client'

/** Calls back on each token that takes the place of one before, until told to stop. */
export type NewToken = (listener: () => void) => () => void

const firstWaitMs = 1000
const longestWaitMs = 30_000

/**
 * Connects again where the library gives up: when the server ended the connection or refused the token, which is another
 * one by then. A socket that is disconnected here stays so.
 */
export function keepAlive(socket: Socket, onNewToken: NewToken, token: () => string | undefined): Socket {
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = firstWaitMs
  const connect = () => {
    clearTimeout(timer)
    socket.connect()
  }
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(connect, wait)
    wait = Math.min(longestWaitMs, wait * 2)
  }
  const forget = onNewToken(() => {
    if (socket.connected) socket.emit('token', token())
    else if (!socket.active) connect()
  })
  socket.on('connect', () => {
    wait = firstWaitMs
  })
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') soon()
  })
  socket.on('connect_error', () => {
    if (!socket.active) soon()
  })
  const disconnect = socket.disconnect.bind(socket)
  socket.disconnect = () => {
    forget()
    clearTimeout(timer)
    return disconnect()
  }
  return socket
}
