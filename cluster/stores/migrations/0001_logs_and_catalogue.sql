-- One row a room: who may write its log, and where. It is also the lock that appends and claims of a room meet at.
-- fillfactor: its row changes with every append; room beside it keeps those changes off the index (HOT).
CREATE TABLE logs (
    room text COLLATE "C" PRIMARY KEY,
    epoch bigint NOT NULL DEFAULT 0,
    seq bigint NOT NULL DEFAULT 0,
    archived boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);
CREATE INDEX unarchived_logs ON logs (room) WHERE NOT archived;

-- text and not jsonb: a log is replayed from exactly the bytes that were written.
CREATE TABLE entries (
    room text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    entry text NOT NULL,
    PRIMARY KEY (room, seq)
);

CREATE TABLE owners (
    room text COLLATE "C" NOT NULL,
    epoch bigint NOT NULL,
    seq bigint NOT NULL,
    wall bigint NOT NULL,
    name text NOT NULL,
    PRIMARY KEY (room, epoch)
);

CREATE TABLE snapshots (
    room text COLLATE "C" PRIMARY KEY,
    seq bigint NOT NULL,
    data bytea NOT NULL
);

-- The entries of a closed room, a line each, compressed with zlib; they have left the table above.
CREATE TABLE archive (
    room text COLLATE "C" PRIMARY KEY,
    lines bytea NOT NULL,
    archived_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE archive ALTER COLUMN lines SET STORAGE EXTERNAL;

CREATE TABLE rooms (
    id text COLLATE "C" PRIMARY KEY,
    code text COLLATE "C" NOT NULL,
    game text NOT NULL,
    created bigint NOT NULL,
    wish bytea NOT NULL,
    key text COLLATE "C" UNIQUE,
    epoch bigint NOT NULL DEFAULT 0,
    parked boolean NOT NULL DEFAULT false,
    closed boolean NOT NULL DEFAULT false,
    quarantine text,
    summary bytea NOT NULL DEFAULT '',
    closed_at timestamptz
);
CREATE UNIQUE INDEX open_codes ON rooms (code) WHERE NOT closed;
CREATE INDEX open_rooms ON rooms (created, id) WHERE NOT closed;
CREATE INDEX closed_rooms ON rooms (closed_at) WHERE closed;
