import {
  countsOf,
  formatRules,
  isKnownRule,
  type PasswordRule,
  parseRules,
  type RuleName,
  ruleNames,
  rulesProblem,
} from '@quayside/contract/realms/password-rules'
import { type FormEvent, useId, useState } from 'react'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { usePasswordPolicy } from '../../api/realms/realms.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import field from '../../ui/forms/field.module.css'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import columns from '../../ui/lists/columns.module.css'
import { classNames } from '../../ui/marks/class-names.ts'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { PasswordTester } from './password-tester.tsx'
import { ruleWords, safeRules, weakenedRules } from './rule-words.ts'
import styles from './settings.module.css'
import { SettingsButtons } from './settings-panel.tsx'

const title = 'Password policy'

/** The rules for new passwords, and beside them a password to try them on before they count. */
export function PasswordPolicy() {
  const part = usePasswordPolicy()
  const { data, error, refetch } = part.query
  return data === undefined ? (
    <Panel title={title}>
      {error === null ? <Loading /> : <ErrorPanel error={error} name={title} onRetry={() => void refetch()} />}
    </Panel>
  ) : (
    <Rules now={data.passwordPolicy} save={part.save} />
  )
}

interface RulesProps {
  now: string
  save: ReturnType<typeof usePasswordPolicy>['save']
}

function Rules({ now, save }: RulesProps) {
  const right = useGuard()('password-policy.edit', 'change the password policy')
  const confirm = useConfirm()
  const [draft, setDraft] = useState<Draft>()
  const { rules, others } = draft ?? draftOf(now)
  const text = textOf({ rules, others })
  const problem = rulesProblem(text)
  const isChanged = text !== textOf(draftOf(now))
  const isClosed = right.allowed !== true
  const change = (next: Partial<Draft>) => {
    save.reset()
    setDraft({ rules, others, ...next })
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    const warnings = weakenedRules(now, text)
    const question = { title: 'Accept weaker passwords', message: warnings.join(' '), danger: true }
    if (warnings.length > 0 && !(await confirm(question))) return
    save.mutate({ passwordPolicy: text }, { onSuccess: () => setDraft(undefined) })
  }
  const refused = save.error instanceof ApiError && save.error.status === 400 ? save.error.message : undefined
  return (
    <div className={columns.columns}>
      <Panel title={title}>
        <p className={styles.about}>
          <bdi>These rules apply to new passwords. Existing passwords stay valid.</bdi>
        </p>
        <form className={styles.form} aria-label={title} noValidate onSubmit={(event) => void submit(event)}>
          <ul className={styles.rules}>
            {ruleNames.map((name) => (
              <RuleRow
                key={name}
                name={name}
                rule={rules.find((each) => each.name === name)}
                disabled={isClosed}
                onChange={(rule) => change({ rules: withRule(rules, name, rule) })}
              />
            ))}
          </ul>
          <TextField
            label="Further rules"
            className="mono"
            dir="ltr"
            maxLength={600}
            help="In Keycloak's words, with “and” between them: regexPattern([a-z ]+)"
            value={others}
            disabled={isClosed}
            error={problem ?? refused}
            onChange={(event) => change({ others: event.target.value })}
          />
          {save.error !== null && refused === undefined && <ErrorPanel error={save.error} name={title} />}
          <SettingsButtons
            name={title}
            right={right}
            isChanged={isChanged}
            isSaved={save.isSuccess}
            isInvalid={problem !== undefined}
            busy={save.isPending}
            onDiscard={() => {
              save.reset()
              setDraft(undefined)
            }}
            onSafe={() => change({ rules: safeRules, others: '' })}
          />
        </form>
      </Panel>
      <PasswordTester rules={parseRules(text)} />
    </div>
  )
}

/** Rules that the page knows, and the others as they are written. */
interface Draft {
  rules: readonly PasswordRule[]
  others: string
}

const textOf = ({ rules, others }: Draft) => [formatRules(rules), others.trim()].filter(Boolean).join(' and ')

function draftOf(text: string): Draft {
  const all = parseRules(text)
  return {
    rules: all.filter(({ name }) => isKnownRule(name)),
    others: formatRules(all.filter(({ name }) => !isKnownRule(name))),
  }
}

/** A rule that changes keeps its place; a new one comes last. */
function withRule(rules: readonly PasswordRule[], name: RuleName, rule: PasswordRule | undefined): PasswordRule[] {
  if (rule === undefined) return rules.filter((each) => each.name !== name)
  return rules.some((each) => each.name === name)
    ? rules.map((each) => (each.name === name ? rule : each))
    : [...rules, rule]
}

interface RowProps {
  name: RuleName
  rule: PasswordRule | undefined
  disabled: boolean
  onChange: (rule: PasswordRule | undefined) => void
}

function RuleRow({ name, rule, disabled, onChange }: RowProps) {
  const id = useId()
  const { label, unit, means, safe = '' } = ruleWords[name]
  const counts = countsOf(name)
  const value = rule === undefined ? '' : rule.value || String(counts?.assumed ?? '')
  const problem = rule === undefined ? undefined : rulesProblem(formatRules([{ name, value: value || '?' }]))
  return (
    <li className={styles.rule}>
      <span className={styles.ruleText}>
        <Checkbox
          checked={rule !== undefined}
          disabled={disabled}
          aria-describedby={id}
          onChange={(isOn) => onChange(isOn ? { name, value: safe } : undefined)}
        >
          <span className={field.label}>{label}</span>
        </Checkbox>
        <span id={id} className={field.help}>
          <bdi>{means}</bdi>
        </span>
      </span>
      {rule !== undefined && counts !== undefined && (
        <span className={styles.count}>
          {unit === 'at least' && <bdi>{unit}</bdi>}
          <input
            className={field.input}
            inputMode="numeric"
            autoComplete="off"
            maxLength={4}
            dir="ltr"
            aria-label={`${label}: ${unit ?? 'number'}`}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : `${id}-error`}
            value={rule.value}
            placeholder={String(counts.assumed)}
            disabled={disabled}
            onChange={(event) => onChange({ name, value: event.target.value.replace(/\s/g, '') })}
          />
          {unit !== 'at least' && <bdi>{unit}</bdi>}
        </span>
      )}
      {problem !== undefined && (
        <span id={`${id}-error`} role="alert" className={classNames(field.error, styles.ruleError)}>
          <bdi>{problem}</bdi>
        </span>
      )}
    </li>
  )
}
