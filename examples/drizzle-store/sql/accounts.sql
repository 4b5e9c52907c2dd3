-- The columns and indexes that accounts need. Run it once, in one transaction, like any migration; then the back-fill.

-- NULL until the back-fill computes it, which SQL can't. A row with neither key isn't an account.
ALTER TABLE customers ADD COLUMN username_key TEXT;
ALTER TABLE customers ADD COLUMN mail_key TEXT;
ALTER TABLE customers ADD COLUMN kind TEXT NOT NULL DEFAULT 'person';
-- Who created the account: for these customers, the application. What is in it is theirs, also after a reset by email.
ALTER TABLE customers ADD COLUMN origin TEXT NOT NULL DEFAULT 'host';
-- If the application has verified addresses before, set it for those rows here.
ALTER TABLE customers ADD COLUMN is_verified INTEGER NOT NULL DEFAULT 0;
ALTER TABLE customers ADD COLUMN is_staff INTEGER NOT NULL DEFAULT 0;
ALTER TABLE customers ADD COLUMN roles TEXT NOT NULL DEFAULT '[]';
ALTER TABLE customers ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE customers ADD COLUMN last_login_at INTEGER;
ALTER TABLE customers ADD COLUMN email_changed_at INTEGER;
ALTER TABLE customers ADD COLUMN session_epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE customers ADD COLUMN reset_epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE customers ADD COLUMN verify_epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE customers ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE customers ADD COLUMN factors TEXT NOT NULL DEFAULT '[]';
ALTER TABLE customers ADD COLUMN credentials TEXT NOT NULL DEFAULT '[]';
ALTER TABLE customers ADD COLUMN notes TEXT NOT NULL DEFAULT '{}';
ALTER TABLE customers ADD COLUMN more_fields TEXT NOT NULL DEFAULT '{}';

-- Milliseconds since 1970; `created` has whole seconds, in UTC.
UPDATE customers SET created_at = unixepoch(created) * 1000;

CREATE UNIQUE INDEX customers_username_key ON customers (username_key);
CREATE UNIQUE INDEX customers_mail_key ON customers (mail_key);
CREATE INDEX customers_created_at ON customers (created_at, id);

-- The application continues to write to this table. When it changes an account, this raises the version;
-- a new password ends sessions and reset links.
CREATE TRIGGER customers_version AFTER UPDATE OF password, full_name, phone, blocked ON customers
WHEN NEW.version = OLD.version
BEGIN
  UPDATE customers
  SET version = version + 1,
    session_epoch = session_epoch + (NEW.password <> OLD.password),
    reset_epoch = reset_epoch + (NEW.password <> OLD.password)
  WHERE id = NEW.id;
END;

-- Otherwise a login or an address changed without its key would still be found by the old one.
CREATE TRIGGER customers_keys BEFORE UPDATE OF login, mail ON customers
WHEN NEW.version = OLD.version AND (OLD.username_key IS NOT NULL OR OLD.mail_key IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'login and mail of an account change together with their keys and the version');
END;
