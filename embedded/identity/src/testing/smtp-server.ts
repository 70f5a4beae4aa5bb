import { createServer, type Socket } from 'node:net'

export interface Received {
  from: string
  to: string[]
  /** The whole message with its headers, as it was sent. */
  raw: string
  /** Credentials as `user:password`, when there were some. */
  auth: string | undefined
}

export interface SmtpServer extends AsyncDisposable {
  port: number
  received: Received[]
  /** Answer to the next messages in place of taking them; undefined takes them. */
  refusal: string | undefined
  /** Messages that have come to their end, also those that were refused. */
  messages: number
}

/** Text of a message whose parts are quoted-printable or plain, with the lines put together again. */
export const textOf = ({ raw }: Received): string =>
  raw
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** The link in a message. */
export const linkIn = (mail: Received): string => /https?:\/\/[^\s"<>]+/.exec(textOf(mail))?.[0] ?? ''

interface Talk {
  socket: Socket
  server: SmtpServer
  mail: Received
  /** Lines of the message while it is sent; undefined before. */
  data: string[] | undefined
}

function takeData(talk: Talk, line: string): void {
  const { server, socket, mail, data = [] } = talk
  if (line !== '.') {
    data.push(line.replace(/^\.\./, '.'))
    return
  }
  talk.data = undefined
  server.messages += 1
  if (server.refusal === undefined) server.received.push({ ...mail, raw: data.join('\r\n') })
  socket.write(`${server.refusal ?? '250 taken'}\r\n`)
  talk.mail = { from: '', to: [], raw: '', auth: mail.auth }
}

const addressIn = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? ''

function answer(talk: Talk, line: string): string | undefined {
  const { mail } = talk
  const [command = ''] = line.toUpperCase().split(/[ :]/)
  if (command === 'EHLO') return '250-test\r\n250 AUTH PLAIN'
  if (command === 'AUTH') {
    const [, user = '', password = ''] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
      .toString()
      .split('\0')
    mail.auth = `${user}:${password}`
    return password === 'wrong' ? '535 no' : '235 yes'
  }
  if (command === 'MAIL') mail.from = addressIn(line)
  if (command === 'RCPT') mail.to.push(addressIn(line))
  if (command === 'DATA') {
    talk.data = []
    return '354 go on'
  }
  if (command === 'STARTTLS') return '502 not here'
  if (command === 'QUIT') {
    talk.socket.end('221 bye\r\n')
    return undefined
  }
  return '250 ok'
}

/** A mail server on this machine that keeps what it is given. */
export async function startSmtpServer(port = 0): Promise<SmtpServer> {
  const sockets = new Set<Socket>()
  const listener = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    const talk: Talk = { socket, server, mail: { from: '', to: [], raw: '', auth: undefined }, data: undefined }
    let rest = ''
    socket.write('220 test\r\n')
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const said = talk.data ? takeData(talk, line) : answer(talk, line)
        if (said !== undefined) socket.write(`${said}\r\n`)
      }
    })
  })
  await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve))
  const address = listener.address()
  const server: SmtpServer = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    received: [],
    refusal: undefined,
    messages: 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
  return server
}
