/** How long an email may take, with all attempts, in milliseconds. */
const mailTimeout = 60_000

/** What becomes of the emails of invitations. */
export interface MailOutcomes {
  /**
   * Invites an address, and waits for the email.
   * @returns `fault`: why it wasn't sent; `null` if it was
   */
  after<Invitation extends { id: string }>(
    address: string,
    invite: () => Promise<Invitation>,
  ): Promise<{ invitation: Invitation; fault: string | null }>
  /** Call it with the address of each sent email. */
  sent(address: string): void
  /** Call it with the id of each invitation whose email was abandoned. */
  failed(id: string, fault: string): void
}

export function createMailOutcomes(): MailOutcomes {
  /** By address and by id. */
  const outcomes = new Map<string, ReturnType<typeof newOutcome>>()

  function outcomeOf(key: string): ReturnType<typeof newOutcome> {
    const outcome = outcomes.get(key) ?? newOutcome()
    outcomes.set(key, outcome)
    return outcome
  }

  return {
    async after(address, invite) {
      const sent = outcomeOf(address)
      const keys = [address]
      let timer: NodeJS.Timeout | undefined
      try {
        const invitation = await invite()
        keys.push(invitation.id)
        const late = new Promise<string>((resolve) => {
          timer = setTimeout(() => resolve('the email took too long'), mailTimeout)
        })
        const fault = await Promise.race([sent.settled, outcomeOf(invitation.id).settled, late])
        return { invitation, fault }
      } finally {
        clearTimeout(timer)
        for (const key of keys) outcomes.delete(key)
      }
    },
    sent: (address) => outcomes.get(address)?.settle(null),
    // Perhaps before the id is known here.
    failed: (id, fault) => outcomeOf(id).settle(fault),
  }
}

function newOutcome() {
  let settle: (fault: string | null) => void = () => {}
  const settled = new Promise<string | null>((resolve) => {
    settle = resolve
  })
  return { settled, settle }
}
