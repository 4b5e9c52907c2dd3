/**
 * How long the postman waits before it takes out an email that was just posted, in milliseconds: a random time between
 * the two. Writing and sending an email takes time that the very next requests would otherwise wait for, which would
 * tell their sender whether there was anybody to email. At most two seconds, because somebody waits for the email.
 *
 * Tests that wait for emails set both to 0.
 */
export const wakeDelay = { min: 500, max: 2000 }
