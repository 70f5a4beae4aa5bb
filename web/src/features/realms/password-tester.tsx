import { judge, longestPassword, type PasswordRule, type Verdict } from '@quayside/contract/realms/password-rules'
import { useState } from 'react'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { ruleText } from './rule-words.ts'
import styles from './settings.module.css'

const verdicts: Readonly<Record<Verdict, { state: string; label: string }>> = {
  met: { state: 'ok', label: 'Met' },
  broken: { state: 'failed', label: 'Not met' },
  later: { state: 'later', label: 'Checked when the password is set' },
}

/** Tries a password against the rules in this browser: it is neither sent nor kept. */
export function PasswordTester({ rules }: { rules: readonly PasswordRule[] }) {
  const [password, setPassword] = useState('')
  const [isShown, setIsShown] = useState(false)
  const [username, setUsername] = useState('ines')
  const [email, setEmail] = useState('ines@demo.example')
  const judged = rules.map((rule) => ({ rule, verdict: judge(rule, password, { username, email }) }))
  const broken = judged.filter(({ verdict }) => verdict === 'broken').length
  return (
    <Panel title="Try a password">
      <div className={styles.tester}>
        <p className={styles.about}>
          <bdi>The password stays in this browser. It is checked against the rules on this page, saved or not.</bdi>
        </p>
        <TextField
          label="Password to try"
          type={isShown ? 'text' : 'password'}
          autoComplete="off"
          spellCheck={false}
          maxLength={longestPassword}
          dir="ltr"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Checkbox checked={isShown} onChange={setIsShown}>
          Show it
        </Checkbox>
        <TextField
          label="User name"
          autoComplete="off"
          spellCheck={false}
          value={username}
          onChange={(event) => setUsername(event.target.value)}
        />
        <TextField
          label="E-mail address"
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        {password !== '' && (
          <>
            <p role="status" className={styles.about}>
              <bdi>{summaryOf(rules.length, broken)}</bdi>
            </p>
            <ul className={styles.verdicts} aria-label="Rules and the password">
              {judged.map(({ rule, verdict }) => (
                <li key={rule.name} className={styles.verdict}>
                  <bdi>{ruleText(rule)}</bdi>
                  <StateBadge {...verdicts[verdict]} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Panel>
  )
}

function summaryOf(rules: number, broken: number): string {
  if (rules === 0) return 'There are no rules: any password is accepted.'
  if (broken === 0) return 'This password meets every rule that can be checked here.'
  return broken === 1 ? 'This password does not meet 1 rule.' : `This password does not meet ${broken} rules.`
}
