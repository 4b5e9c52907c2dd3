export const entrance_pages = {
  log_in_to: 'Log in to {site}',
  log_in: 'Log in',
  username: 'Username or email address',
  password: 'Password',
  forgot: 'Forgot password?',
  remember: 'Keep me logged in',
  create: 'Create an account',
  wrong: 'Wrong username, email address or password.',
  no_cookie: 'Your browser didn’t keep the cookie. Allow cookies for {site} and try again.',
  log_out: 'Log out?',
  logged_out: 'You’re logged out',
  continue_with: 'Continue with {provider}',
} as const
