import { Modal } from '@mantine/core'
import type { AuditEntry } from '@quayside/contract/audit/endpoints'
import styles from './audit-details.module.css'
import { outcomeWords } from './audit-words.ts'

const sentences: Readonly<Record<AuditEntry['outcome'], string>> = {
  done: 'The call was carried out.',
  refused: 'The call was refused: nothing was changed.',
  failed: 'The call ended with an error. The log of the portal has more under the request id.',
  running: 'The call has not been answered yet.',
  unknown: 'The portal ended before the call was answered. Look at the thing itself to see whether it was changed.',
}

/** Everything that the log holds about one call. */
export function AuditDetails({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { who, client, token, ipAddress, at, call, about, outcome, status, code, requestId } = entry
  const facts: [string, string][] = [
    ['When', new Date(at).toLocaleString()],
    ['Who', `${who.username} (${who.id})`],
    token === null ? ['Client', client] : ['Personal token', `${token.name} (${token.id})`],
    ['From', ipAddress],
    ['Outcome', [outcomeWords[outcome], status, code].filter((part) => part !== null).join(' · ')],
    ['Call', call],
    ['Request id', requestId],
  ]
  return (
    <Modal opened onClose={onClose} title={entry.title} size={620}>
      <p className={styles.sentence}>
        <bdi>{sentences[outcome]}</bdi>
      </p>
      <Facts label="The call" facts={facts} />
      {Object.keys(about).length > 0 && (
        <>
          <h3 className={styles.title}>What it named</h3>
          <Facts label="What it named" facts={Object.entries(about)} />
        </>
      )}
    </Modal>
  )
}

function Facts({ label, facts }: { label: string; facts: readonly (readonly [string, string])[] }) {
  return (
    <dl className={styles.facts} aria-label={label}>
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{text}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
