/** Secrets that are given to a chart in its values. */
export const givenSecrets = {
  code: 'Ships&Sail"42/+yonder',
  password: 'harbour<master>17',
  key: '-----BEGIN KEY-----\nQUJDhiddenInTheHold\nRkdIstowedAway99\n-----END KEY-----',
  later: 'Anchor&Chain"77/+deeper',
}
const given = [
  ...[givenSecrets.code, givenSecrets.password, givenSecrets.later],
  ...['QUJDhiddenInTheHold', 'RkdIstowedAway99'],
]

/** Looks for secrets, in every form in which something may say them: those that were given, and what was learnt since. */
export function createSecretSearch() {
  const learnt = new Set<string>()
  const forms = new Set(given.flatMap(formsOf))
  const formIn = (text: string) => [...forms].find((form) => text.includes(form))
  return {
    learnt,
    learn(secret: string) {
      learnt.add(secret)
      for (const form of formsOf(secret)) forms.add(form)
    },
    isSaid: (text: string) => formIn(text) !== undefined,
    /** The secret that a text contains, and where, for a readable failure. */
    shortened(text: string): string {
      const form = formIn(text) ?? ''
      return `${form}: ${text.slice(0, 60)} … ${text.slice(Math.max(0, text.indexOf(form) - 80)).slice(0, 240)}`
    },
  }
}

/** A secret as text, quoted as JSON and Go do, for an address, and in base64. */
function formsOf(secret: string): string[] {
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    goJson(secret),
    encodeURIComponent(secret),
    ...base64Of(secret).filter((form) => form.length >= 8),
  ]
}

/** The text as Go, and with it Helm, writes it into JSON. */
function goJson(text: string): string {
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text).slice(1, -1).replace(/[<>&]/g, escaped)
}

/** The base64 forms of a text at any place of a longer one, without the edges that depend on what is beside it. */
function base64Of(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const inner = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]).toString('base64')
    return inner.slice(before === 0 ? 0 : 4, Math.floor((before + Buffer.byteLength(text)) / 3) * 4)
  })
}
